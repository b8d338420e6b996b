import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Outcome } from "./row.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Sockets lie below the temporary directory, and their paths must be short. */
const PREFIX = "drydock-row-";

export interface CommandOptions {
  timeoutMs: number;
  /** Variables by which the scripted model is found. */
  model?: Record<string, string>;
}

/** Runs a line of bash in the root of the repository, with an empty home and a temporary directory of its own. */
export async function runCommand(command: string, { timeoutMs, model = {} }: CommandOptions): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), PREFIX));
  const env = { ...plainEnvironment(), ...model, DRYDOCK_HOME: join(directory, "home"), TMPDIR: directory };
  try {
    return await runBash(command, env, timeoutMs);
  } finally {
    // Sessions that the command left open end with the process that keeps them.
    await runBash(CLOSE_SESSIONS, env, 20_000);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const CLOSE_SESSIONS = `[ -e "$DRYDOCK_HOME/keeper.sock" ] || exit 0
drydock session list 2>&1 | grep -o 'ses_[a-z0-9]*' | while read -r id; do drydock session close "$id"; done`;

/** Nothing of the caller's own models and homes reaches the commands. */
function plainEnvironment(): Record<string, string> {
  const { PATH = "", HOME = "", LANG = "C.UTF-8", NODE_OPTIONS: _, ...others } = process.env;
  const kept = Object.entries(others).filter(([name]) => /^(LC_|TERM$|USER$)/.test(name));
  const bin = join(ROOT, "node_modules", ".bin");
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: `${bin}:${PATH}`,
    HOME,
    LANG,
    NO_COLOR: "1",
    NODE_OPTIONS: "--disable-warning=ExperimentalWarning",
  };
}

async function runBash(command: string, env: Record<string, string>, timeoutMs: number): Promise<Outcome> {
  const child = spawn("bash", ["-c", `exec 2>&1\n${command}`], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "ignore"],
    // A process group of its own, so that whatever the line started ends with it.
    detached: true,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
    child.stdout.destroy();
  }, timeoutMs);
  const [status] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  endGroup(child.pid);
  return { status: late ? null : status, output: late ? `${output}\nended after ${timeoutMs / 1000} s` : output };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}
