import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processesWith } from "../../../base/testing/processes.ts";
import { within } from "../../../base/testing/within.ts";

export interface Memory {
  heapBytes: number;
  rssBytes: number;
  descriptors: number;
}

export interface LoadServer {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly home: string;
  readonly workspace: string;
  readonly isUp: boolean;
  /** What the process holds after a collection. */
  measure(): Promise<Memory>;
  /** Processes of the sandbox that members are forked from. */
  forkServers(): number[];
  /** Whatever is there because of this home, the server itself left out. */
  processes(): number[];
  /** The exit status; null where it did not end of itself. */
  close(): Promise<number | null>;
  remove(): void;
}

const ANSWER_MS = 30_000;
const SCRIPT = [
  { when: { step: "code" }, text: "```python\nresult = 6 * 7\nprint(result)\n```", repeat: "always" },
  { when: { step: "work" }, writes: [{ path: "a.txt", content: "written" }], repeat: "always" },
];

/** `drydock serve` in a process of its own, with a home and a scripted model of its own. */
export async function startLoadServer(): Promise<LoadServer> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-load-"));
  const [home, workspace, script] = ["home", "workspace", "script.json"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [home, workspace]) mkdirSync(each, { mode: 0o700 });
  writeFileSync(join(home, "policy.yaml"), "version: 1\nlimits: { concurrency: 8 }\n");
  writeFileSync(script, JSON.stringify({ answers: SCRIPT }));
  const child = fork(fileURLToPath(new URL("load-child.ts", import.meta.url)), [home, `scripted:${script}`], {
    execArgv: ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const started = await ask<{ url: string; port: number; token: string }>(child);
  const pid = child.pid ?? 0;
  return {
    ...started,
    home,
    workspace,
    get isUp() {
      return child.exitCode === null && child.signalCode === null;
    },
    async measure() {
      const held = await ask<Omit<Memory, "descriptors">>(child, "measure");
      return { ...held, descriptors: readdirSync(`/proc/${pid}/fd`).length };
    },
    forkServers: () => processesWith(`${home}/cache`).filter((each) => parentOf(each) === pid),
    processes: () => processesWith(home).filter((each) => each !== pid),
    async close() {
      if (child.connected) child.send("close");
      return (await within(ANSWER_MS, "the server's end", ended))[0];
    },
    remove() {
      child.kill("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function ask<T>(child: ChildProcess, message?: string): Promise<T> {
  const answer = once(child, "message") as Promise<[T]>;
  if (message !== undefined) child.send(message);
  const gone = once(child, "exit").then(([status]) => {
    throw new Error(`the server ended with ${status}`);
  });
  gone.catch(() => {});
  return (await within(ANSWER_MS, `the server (${message ?? "start"})`, Promise.race([answer, gone])))[0];
}

function parentOf(pid: number): number {
  const stat = readQuietly(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Nothing for a process that has ended meanwhile. */
function readQuietly(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
