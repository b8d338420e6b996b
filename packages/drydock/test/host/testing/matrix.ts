import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RUNNER_SOCKET } from "@drydock/protocol/runner";
import type { Dock } from "drydock";
import { expect } from "vitest";
import { EXPECTED, type Expected, INPUT } from "./behaviours.ts";

const SDK = join(import.meta.dirname, "../../../../runner-sdk");
export const LANGUAGES = {
  TypeScript: { source: join(SDK, "testing/behaviours"), runtime: "node", command: ["node", "main.ts"] },
  Python: { source: join(SDK, "testing/behaviours-python"), runtime: "python", command: ["python3", "main.py"] },
} as const;
export type Language = keyof typeof LANGUAGES;
export type Wire = "stdio" | "WebSocket";

const TERMINAL = /^run\.(succeeded|failed|cancelled|lost)$/;
const DEADLINE_SECONDS = 1;
let plugins = 0;

interface Stage {
  dock: Dock;
  directory: string;
  language: Language;
  wire: Wire;
}

/** A plugin of its own, with an agent that has its runner; processes that are started outside of the sandbox end with `close`. */
async function openPlugin({ dock, directory, language, wire }: Stage) {
  const { source, runtime, command } = LANGUAGES[language];
  const name = `behaviours-${plugins++}`;
  const place = join(directory, name);
  cpSync(source, place, { recursive: true, filter: (path) => !path.includes("__pycache__") });
  const words = [...command, "--name", name];
  const manifest = { author: "drydock-test", name, version: "1.0.0", runtime, command: words };
  writeFileSync(join(place, "plugin.yaml"), JSON.stringify(manifest));
  const close = wire === "stdio" ? await install(dock, place) : await attach(dock, place, words);
  await dock.host.agents.add({ name, runner: `plugin:drydock-test/${name}/behave` });
  await dock.host.agents.bind({ agent: name, scope: "workspace", value: name });
  await dock.host.agents.add({
    ...{ name: `${name}-hurried`, runner: `plugin:drydock-test/${name}/behave`, timeoutSeconds: DEADLINE_SECONDS },
  });
  await dock.host.agents.bind({ agent: `${name}-hurried`, scope: "workspace", value: `${name}-hurried` });
  return { name, close };
}

async function install(dock: Dock, place: string) {
  const { id } = await dock.host.plugins.add(place);
  return async () => void (await dock.host.plugins.remove(id));
}

/** The author's own process. Whoever works on a runner starts it again when it has ended; here that is done at once. */
async function attach(dock: Dock, place: string, [program = "", main = "", ...rest]: string[]) {
  const connected = Promise.withResolvers<void>();
  const onLog = (text: string) => text.includes("is connected") && connected.resolve();
  const { attach: end, close } = await dock.host.plugins.develop(place, { attach: true, onLog });
  const env = {
    ...{ PATH: process.env.PATH, PYTHONPATH: join(SDK, "python"), PYTHONDONTWRITEBYTECODE: "1" },
    ...{ [RUNNER_SOCKET.urlVariable]: end?.url, [RUNNER_SOCKET.tokenVariable]: end?.token },
  };
  let isOver = false;
  let child: ChildProcess;
  const start = () => {
    const run = program === "node" ? process.execPath : program;
    child = spawn(run, [join(place, main), ...rest], { env, stdio: ["ignore", "ignore", "ignore"] });
    child.once("exit", () => isOver || start());
  };
  start();
  await connected.promise;
  return Object.assign(
    async () => {
      isOver = true;
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await close();
    },
    { kill: () => child.kill("SIGKILL") },
  );
}

type Plugin = Awaited<ReturnType<typeof openPlugin>>;
let conversations = 0;

function send(dock: Dock, workspace: string, text: string, options: Parameters<Dock["host"]["send"]>[1] = {}) {
  const conversation = { conversation_id: `matrix-${conversations++}`, workspace_id: workspace };
  return dock.host.send({ type: "message.received", conversation, input: { text } }, options);
}

/** Tries one behaviour, and a well-behaved run in another conversation after it. */
async function tryBehaviour(dock: Dock, { name, close }: Plugin, expected: Expected): Promise<void> {
  const what = expected.name;
  const stop = new AbortController();
  const cancel = expected.until === "cancel";
  const input = `${what} ${INPUT[what] ?? "a b"}`;
  const workspace = expected.until === "deadline" ? `${name}-hurried` : name;
  const result = await send(dock, workspace, input, {
    signal: stop.signal,
    onStarted: () => cancel && setTimeout(() => stop.abort(), 300),
  });
  if (result.kind !== "answered") throw new Error(`${what}: ${result.kind}`);
  expect([what, result.error?.code ?? null]).toEqual([what, expected.code]);
  if (expected.text !== undefined) expect(result.text, what).toMatch(expected.text);
  if (expected.warning) expect(result.warnings.join("\n"), what).toMatch(expected.warning);
  expect(result.messages.length, what).toBeLessThanOrEqual(1);
  const types = (await dock.runs.events(result.runId)).map(({ type }) => type);
  expect([what, types.filter((type) => TERMINAL.test(type)).length]).toEqual([what, 1]);
  expect(types.filter((type) => type === "message.sent").length, what).toBe(result.messages.length);
  // A process that its author has started, and that neither ends nor listens, is ended by its author.
  if (expected.breaks && "kill" in close) (close.kill as () => void)();
  const next = await send(dock, name, "message-only next");
  expect(next, `after ${what}: ${JSON.stringify(next)}`).toMatchObject({ text: "next", ok: true });
}

/**
 * All behaviours, or for the short form those that are quick. In the short form all that share a process are tried at the same
 * time; those that break theirs have plugins of their own.
 */
export async function tryBehaviours(stage: Stage, form: "short" | "whole"): Promise<void> {
  const tried = EXPECTED.filter(({ isSlow }) => form === "whole" || !isSlow);
  const polite = tried.filter(({ breaks }) => !breaks);
  const rude = tried.filter(({ breaks, until }) => breaks && !until);
  const stuck = tried.filter(({ breaks, until }) => breaks && until);
  const groups = [
    { all: polite, atOnce: form === "short" ? polite.length : 1 },
    { all: rude, atOnce: 1 },
    ...stuck.map((each) => ({ all: [each], atOnce: 1 })),
  ];
  await Promise.all(
    groups.map(async ({ all, atOnce }) => {
      const plugin = await openPlugin(stage);
      try {
        for (let at = 0; at < all.length; at += atOnce)
          await Promise.all(all.slice(at, at + atOnce).map((each) => tryBehaviour(stage.dock, plugin, each)));
      } finally {
        await plugin.close();
      }
    }),
  );
}
