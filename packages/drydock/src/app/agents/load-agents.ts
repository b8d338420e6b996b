import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { DrydockError } from "@drydock/protocol";
import { AGENT, type AgentHost, type AnyAgent, isAgent } from "../../tasks/index.ts";

export interface LoadAgentsOptions {
  /** Where the agents are called. */
  host?: AgentHost;
  /** How long loading may take. Default 15,000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * The agents that a file exports. The file is the owner's own program, and the one thing that the host runs as it is: it
 * is loaded in a thread first, so that one that never ends can be ended, and then once more where it is used.
 */
export async function loadAgents(file: string, options: LoadAgentsOptions = {}): Promise<AnyAgent[]> {
  const { host, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const path = resolve(file);
  const fail = (problem: string, hint: string, cause?: unknown) =>
    new DrydockError("input.invalid", `${path}: ${problem}`, hint, { file: path }, cause);
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw fail(
      "there is no such file.",
      "Give the path of a module that exports agents: export const a = agent({ … }).",
    );
  }
  const url = pathToFileURL(path);
  const late = () =>
    fail(
      `loading it took longer than ${timeoutMs / 1000} s.`,
      "Let the file define agents only; do the work when they are called.",
    );
  const broken = (error: unknown) => {
    if (error instanceof DrydockError) return error;
    const named = error as { code?: string; message?: string; hint?: string };
    const message = named?.message ?? String(error);
    const isMissing = named?.code === "ERR_MODULE_NOT_FOUND";
    const hint = isMissing
      ? "Install what it imports beside it: npm install drydock zod"
      : (named?.hint ?? "Fix the file; `node FILE` shows where it fails.");
    return fail(`it can't be loaded: ${message}`, hint, error);
  };
  await rehearse(url, timeoutMs).catch((error: unknown) => {
    throw error === "late" ? late() : broken(error);
  });
  const module = await withinTime(load(url), timeoutMs).catch((error: unknown) => {
    throw error === "late" ? late() : broken(error);
  });
  return collectAgents(module, host, fail);
}

/** The owner named this file: what it loads is not for us to know. */
function load(url: URL): Promise<Record<string, unknown>> {
  return import(url.href) as Promise<Record<string, unknown>>;
}

/** Says when the file is loaded: what keeps a thread alive after that (an open dock, a timer) is no reason to wait. */
const REHEARSAL = `const { parentPort, workerData } = require("node:worker_threads");
import(workerData).then(
  () => parentPort.postMessage(null),
  (error) => parentPort.postMessage({ message: String(error?.message ?? error), code: error?.code, hint: error?.hint }),
);`;

/** A thread can be ended even while it runs in a circle. */
function rehearse(url: URL, timeoutMs: number): Promise<void> {
  const worker = new Worker(REHEARSAL, { eval: true, workerData: url.href, stdout: true, stderr: true });
  let timer: NodeJS.Timeout | undefined;
  return new Promise<void>((done, fail) => {
    timer = setTimeout(() => fail("late"), timeoutMs);
    worker.once("message", (problem: unknown) => (problem === null ? done() : fail(problem)));
    worker.once("error", fail);
    worker.once("exit", () => fail(new Error("it ends the process while it is loaded")));
  }).finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject("late"), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function collectAgents(
  module: Record<string, unknown>,
  host: AgentHost | undefined,
  fail: (problem: string, hint: string) => DrydockError,
): AnyAgent[] {
  const found = new Map<string, AnyAgent>();
  for (const value of Object.values(module).flatMap((item) => (Array.isArray(item) ? item : [item]))) {
    if (!isAgent(value)) continue;
    const { name } = value[AGENT].definition;
    const other = found.get(name);
    if (other && other !== value) throw fail(`it exports two agents called ${name}.`, "Give each its own name.");
    found.set(name, value);
    if (host) value[AGENT].use(host);
  }
  if (found.size > 0) return [...found.values()];
  throw fail("it exports no agents.", 'As in: import { agent } from "drydock"; export const hello = agent({ … });');
}
