import { type SpawnOptions, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DrydockError } from "@drydock/protocol";

/*
 * Git is started here, outside of the sandbox: a commit has to be written into the user's own `.git`, which nothing in the
 * sandbox may change, and no text of a run reaches the command line. What a repository brings along could still make git
 * start programs: hooks, a file system monitor, filters, fetching what is missing. So only commands that
 * know no filters are used, with everything that names a program switched off, no configuration but the repository's, and
 * none of our environment. As root, git works as the owner of the workspace, whose repository it is.
 */

const SWITCHED_OFF = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.sshCommand=false",
  "core.askPass=false",
  "core.pager=cat",
  "core.editor=false",
  "core.ignoreCase=false",
  "protocol.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

export interface GitPlace {
  workspace: string;
  /** `PATH`, of which only absolute directories count. */
  searchPath: string;
}

export interface GitCall {
  args: readonly string[];
  input?: Readable;
  /** Takes what it prints, piece by piece; without it, all of it is returned. */
  onOutput?(bytes: Buffer): void;
  signal?: AbortSignal;
}

export interface GitAnswer {
  status: number | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs one git command in the workspace and tells how it ended. */
export async function runGit({ workspace, searchPath }: GitPlace, call: GitCall): Promise<GitAnswer> {
  const options: SpawnOptions = {
    cwd: workspace,
    env: environmentFor(searchPath),
    stdio: [call.input ? "pipe" : "ignore", "pipe", "pipe"],
    signal: call.signal,
    ...ownerOf(workspace),
  };
  const child = spawn("git", [...SWITCHED_OFF, ...call.args], options);
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (bytes: Buffer) => (call.onOutput ? call.onOutput(bytes) : stdout.push(bytes)));
  child.stderr?.on("data", (bytes: Buffer) => stderr.push(bytes));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(error.code === "ENOENT" ? gitMissing(error) : error));
    child.once("close", resolve);
  });
  const [status, fault] = await Promise.all([
    ended,
    call.input && child.stdin ? pipeline(call.input, child.stdin).catch((error: unknown) => error) : undefined,
  ]);
  // A git that ends early has said why on stderr; whatever else is wrong is wrong with the input.
  if (fault instanceof DrydockError) throw fault;
  return { status, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString().trim() };
}

/** The same where anything but success is a failure. */
export async function askGit(place: GitPlace, ...args: string[]): Promise<string> {
  const answer = await runGit(place, { args });
  if (answer.status !== 0) throw gitFailedError(place.workspace, args[0] ?? "", answer);
  return answer.stdout.toString().replace(/\n$/, "");
}

export function gitFailedError(workspace: string, command: string, { status, stderr }: GitAnswer): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    `git ${command} failed in ${workspace} (status ${status}): ${stderr.slice(0, 500)}`,
    "Correct what git says, or deliver to the directory itself: leave out --branch. Nothing was changed.",
    { workspace, status },
  );
}

function environmentFor(searchPath: string): Record<string, string> {
  return {
    PATH: searchPath.split(":").filter(isAbsolute).join(":"),
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    // Above all configuration: what is missing is never fetched.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

function ownerOf(workspace: string): Pick<SpawnOptions, "uid" | "gid"> {
  if (process.geteuid?.() !== 0) return {};
  const { uid, gid } = statSync(workspace);
  return uid === 0 ? {} : { uid, gid };
}

function gitMissing(cause: unknown): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    "There is no git on this machine's PATH.",
    "Install git, or deliver to the directory itself: leave out --branch. Nothing was changed.",
    {},
    cause,
  );
}
