import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isBuilt, SOURCE_FLAGS } from "../../../base/testing/child-flags.ts";
import { runCommandLine } from "../run-command-line.ts";
import { captureTerminal } from "./capture-terminal.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const BUILT = fileURLToPath(new URL("../../../../bin/drydock.js", import.meta.url));
/** What a shell would start: the built command where it is known to be current, as it is there four times sooner. */
export const CLI_COMMAND: readonly [string, ...string[]] = [
  process.execPath,
  ...(isBuilt ? ["--disable-warning=ExperimentalWarning", BUILT] : [...SOURCE_FLAGS, MAIN]),
];

export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command line within this process, which is quicker; the home is DRYDOCK_HOME. */
export async function runCli(...argv: string[]): Promise<Finished> {
  const { terminal, stdout, stderr } = captureTerminal();
  const status = await runCommandLine(argv, terminal);
  await terminal.flush();
  return { status, stdout: stdout(), stderr: stderr() };
}

/** The same for commands that print JSON. */
export async function runJson(...argv: string[]): Promise<{ status: number | null; value: Record<string, unknown> }> {
  const { status, stdout } = await runCli(...argv, "--json");
  return { status, value: JSON.parse(stdout) as Record<string, unknown> };
}

export interface Spawned {
  process: ChildProcess;
  stdout(): string;
  stderr(): string;
  finished: Promise<Finished>;
  /** Resolves as soon as stdout holds the text. */
  printed(text: string): Promise<void>;
}

/** Runs a command line as a process of its own. */
export function spawnCli(
  home: string,
  argv: readonly string[],
  input?: string,
  variables: Record<string, string> = {},
): Spawned {
  const [program, ...before] = CLI_COMMAND;
  const child = spawn(program, [...before, ...argv], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH, DRYDOCK_HOME: home, ...variables },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const finished = once(child, "close").then(([status]) => ({ status: status as number | null, stdout, stderr }));
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    finished,
    async printed(text) {
      while (!stdout.includes(text)) {
        const what = await Promise.race([once(child.stdout, "data").then(() => "data"), finished.then(() => "end")]);
        if (what === "end" && !stdout.includes(text)) throw new Error(`It ended without printing ${text}: ${stderr}`);
      }
    },
  };
}
