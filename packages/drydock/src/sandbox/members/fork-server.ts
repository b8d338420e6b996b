import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DrydockError, type SandboxLevel } from "@drydock/protocol";
import { BASE_ENVIRONMENT } from "../base-environment.ts";
import { connectMember, type Member } from "./member.ts";

export type MemberKind = "python" | "node";

/** How members without namespaces are held: by Landlock, or not at all. */
export type Confinement = "landlock" | "none";

export interface ForkServerOptions {
  python: { path: string; paths: readonly string[] };
  /** The Node that runs inside; null: no Node in the dock. */
  node: string | null;
  /** Where `kernel/*.py` lies. */
  kernel: string;
  /** Private to this server, short enough for a socket's path. */
  directory: string;
  cacheDirectory: string;
  /** The name of its control groups, by which a later start finds them. */
  instance: string;
  preload: readonly string[];
  memoryBytes: number;
  diskBytes: number;
  /** For a single run: no rehearsals, and a first member of this kind without being asked. */
  hasty: MemberKind | null;
  /** Absent: namespaces. */
  confinement?: Confinement;
}

/** A fork server that was started, and that nobody listens to yet. */
export interface SpawnedForkServer {
  child: ChildProcess;
  options: ForkServerOptions;
}

export interface ForkServer {
  readonly pid: number;
  readonly level: SandboxLevel;
  /** Why the level is not a better one. */
  readonly levelReason: string | null;
  readonly loaded: readonly string[];
  readonly alive: boolean;
  /** `hasty`: it is waited for, and need not rehearse. */
  spawn(kind: MemberKind, hasty?: boolean): Promise<Member>;
  /** Ends it with all its members. */
  stop(): Promise<void>;
}

interface Ready {
  event: "ready";
  level: SandboxLevel;
  levelReason: string | null;
  loaded: string[];
}
type Message =
  | Ready
  | { event: "failed"; reason: string; detail?: string; missing?: "namespaces" | null }
  | { event: "member-failed"; reason: string };

const START_TIMEOUT_MS = 60_000;
const HINT_WITHOUT_NAMESPACES =
  "Allow them: `sysctl -w user.max_user_namespaces=10000`, on Ubuntu also `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`, " +
  "in a container `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`. " +
  "Or accept the weaker level in the home policy, which needs Linux 6.12: `drydock policy set sandbox.level landlock`.";

export function startForkServer(options: ForkServerOptions): Promise<ForkServer> {
  return watchForkServer(spawnForkServer(options));
}

/** The quick part of a start, for those who have much to load meanwhile. */
export function spawnForkServer(options: ForkServerOptions): SpawnedForkServer {
  mkdirSync(join(options.directory, "root"), { recursive: true, mode: 0o700 });
  const config = {
    host: process.pid,
    directory: options.directory,
    cacheDirectory: options.cacheDirectory,
    instance: options.instance,
    record: join(options.directory, "cgroups"),
    python: options.python.path,
    interpreterPaths: options.python.paths,
    node: options.node,
    preload: options.preload,
    memoryBytes: options.memoryBytes,
    diskBytes: options.diskBytes,
    hasty: options.hasty,
    environment: BASE_ENVIRONMENT,
    confinement: options.confinement,
  };
  const early = options.hasty ? [config.instance, config.record] : [];
  // Nothing of the caller's environment: what is not there can't leak. Without a locale Python would run in UTF-8 mode,
  // and behave a little differently. `-s` keeps the user's own site-packages out.
  const child = spawn(
    options.python.path,
    ["-s", join(options.kernel, options.confinement ? "bare.py" : "zygote.py"), JSON.stringify(config), ...early],
    {
      cwd: "/",
      env: { LANG: "C.UTF-8" },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  return { child, options };
}

export function watchForkServer({ child, options }: SpawnedForkServer): Promise<ForkServer> {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error("a fork server has pipes");
  const gone = new AbortController();
  let whyGone = "it ended";
  let missing: "namespaces" | undefined;
  let complaint = "";
  stdin.on("error", () => {});
  stderr.on("data", (data: Buffer) => {
    complaint = (complaint + data.toString()).slice(-4000);
  });
  const end = (reason: string) => {
    if (gone.signal.aborted) return;
    whyGone = reason;
    gone.abort();
    child.kill("SIGKILL");
  };
  let promised = options.hasty;
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const unavailable = (reason: string) =>
    new DrydockError(
      "sandbox.unavailable",
      `The sandbox could not be started: ${reason}`,
      missing ? HINT_WITHOUT_NAMESPACES : "Run `drydock doctor`: it tests each part and says what to do.",
      { reason, ...(missing && { missing }) },
    );

  const spawnMember = async (kind: MemberKind, hasty = false): Promise<Member> => {
    if (gone.signal.aborted) throw unavailable(whyGone);
    if (kind === promised) promised = null;
    else stdin.write(kind === "node" ? "n" : hasty ? "h" : "p");
    try {
      return await connectMember(join(options.directory, `${kind}.sock`), gone.signal);
    } catch {
      throw unavailable(whyGone);
    }
  };

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end("it did not become ready in time"), START_TIMEOUT_MS);
    gone.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(unavailable(whyGone));
    });
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(complaint.trim().split("\n").at(-1) || `it ended with ${signal ?? code}`));
    createInterface({ input: stdout }).on("line", (line) => {
      const message = JSON.parse(line) as Message;
      if (message.event === "failed") missing = message.missing ?? undefined;
      if (message.event !== "ready") return end(message.reason);
      clearTimeout(timer);
      resolve({
        pid: child.pid ?? 0,
        level: message.level,
        levelReason: message.levelReason,
        loaded: message.loaded,
        get alive() {
          return !gone.signal.aborted;
        },
        spawn: spawnMember,
        async stop() {
          stdin.end();
          const patience = setTimeout(() => child.kill("SIGKILL"), 2000);
          await exited;
          clearTimeout(patience);
        },
      });
    });
    for (const stream of [child, stdout, stderr, stdin]) (stream as unknown as { unref?: () => void }).unref?.();
  });
}
