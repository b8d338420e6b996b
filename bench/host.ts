import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createDock, type Dock } from "drydock";
import { percentile } from "./measure.ts";

export interface HostFigures {
  /** A line to a process of Node and back. */
  bareMs: number;
  /** From the event to the first delta of its answer. */
  deltaMs: number;
  /** One call of the host API, as the runner sees it. */
  callMs: number;
  /** The same two with this many runs in the ledger. */
  history: number;
  oldDeltaMs: number;
  oldCallMs: number;
}

const ROUNDS = 200;
const HISTORY = 10_000;
const AT_ONCE = 32;
/** The host refuses more than 200 calls a second. */
const CALLS = 100;

/** An event through binding, run, plugin and ledger, beside a bare echo; on a fresh home and on one with a long history. */
export async function measureHost(directory: string, say: (text: string) => void): Promise<HostFigures> {
  const bareMs = await measureBare();
  const dock = await createDock({ home: join(directory, "host-home"), warm: 1 });
  try {
    const { id } = await dock.host.plugins.add(join(import.meta.dirname, "host-plugin"));
    await dock.host.agents.add({ name: "bench", runner: `plugin:${id}/bench` });
    await dock.host.agents.bind({ agent: "bench" });
    const deltaMs = await measureDeltas(dock);
    const callMs = await measureCalls(dock);
    say(`host: ${HISTORY} runs for the history`);
    let left = HISTORY;
    const fill = async () => {
      while (left-- > 0) await send(dock, "fill", `old-${left % 1000}`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fill));
    return {
      ...{ bareMs, deltaMs, callMs, history: HISTORY },
      oldDeltaMs: await measureDeltas(dock),
      oldCallMs: await measureCalls(dock),
    };
  } finally {
    await dock.close();
  }
}

let conversations = 0;

async function send(dock: Dock, text: string, conversation = `new-${conversations++}`, onDelta?: () => void) {
  const event = { type: "message.received", conversation: { conversation_id: conversation }, input: { text } };
  const result = await dock.host.send(event, { onDelta });
  if (result.kind !== "answered" || !result.ok) throw new Error(`the host said ${JSON.stringify(result)}`);
  return result.text;
}

async function measureDeltas(dock: Dock): Promise<number> {
  const times: number[] = [];
  for (let round = -20; round < ROUNDS; round++) {
    const startedAt = performance.now();
    let firstMs = 0;
    await send(dock, "hello", undefined, () => {
      firstMs ||= performance.now() - startedAt;
    });
    if (round >= 0) times.push(firstMs);
  }
  return percentile(times, 0.5);
}

async function measureCalls(dock: Dock): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(...JSON.parse(await send(dock, `calls ${CALLS}`)).slice(10));
  return percentile(times, 0.5);
}

async function measureBare(): Promise<number> {
  const program =
    'require("readline").createInterface({ input: process.stdin }).on("line", (line) => console.log(line))';
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const times: number[] = [];
  for (let round = -20; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const answered = once(lines, "line");
    child.stdin.write('{"text":"hello"}\n');
    await answered;
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  child.stdin.end();
  await once(child, "close");
  return percentile(times, 0.5);
}
