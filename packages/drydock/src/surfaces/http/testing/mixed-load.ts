import { setTimeout as sleep } from "node:timers/promises";
import { TERMINAL_EVENTS } from "@drydock/protocol";
import { createDock } from "../../../app/index.ts";
import { listDeeds } from "./load-deeds.ts";
import { createWitness, type Evidence, type Witness } from "./load-evidence.ts";
import { listFaults } from "./load-faults.ts";
import { type LoadServer, type Memory, startLoadServer } from "./load-server.ts";

export interface LoadReport {
  calls: number;
  faults: number;
  kills: number;
  runs: number;
  followed: number;
  /** Answers that nobody should get, and whatever the record does not hold of what was acknowledged. */
  wrong: string[];
  /** Of the process that serves, at rest and after a collection: once warm, and at the end. */
  before: Memory;
  after: Memory;
  exit: number | null;
  /** Processes that the closed server has left behind. */
  left: number;
}

const CALLERS = 8;
/** In each of the five parts, for each second that the load lasts in all. */
const LEAST_CALLS = 3;
const IDLE_MS = 30_000;

/**
 * So many seconds of everything at once, faults included: callers that vanish, break off, never read, cancel, send
 * nonsense, and a sandbox whose fork servers are killed. Afterwards all that was acknowledged is held against the record.
 */
export async function runMixedLoad(seconds: number, log: (line: string) => void = () => {}): Promise<LoadReport> {
  const server = await startLoadServer();
  try {
    const witness = createWitness(server);
    const { evidence } = witness;
    const deeds = mix(listDeeds(server, witness), listFaults(server, witness));
    const work = async (ms: number) => {
      if (evidence.hangs) return;
      const endMs = Date.now() + ms;
      // A busy machine gets more time for the same work.
      const enough = evidence.calls + seconds * LEAST_CALLS;
      let turn = 0;
      const caller = async () => {
        while (!evidence.hangs && (Date.now() < endMs || evidence.calls < enough))
          await deeds[turn++ % deeds.length]?.().catch((error) => witness.complain(describeError(error)));
      };
      await Promise.all([killUntil(server, witness, endMs, seconds), ...Array.from({ length: CALLERS }, caller)]);
      await rest(witness);
    };
    // Code is compiled and caches are filled with the first of it: that is no leak.
    await work(seconds * 200);
    const before = await server.measure();
    log(describe(evidence, before));
    for (let part = 0; part < 4; part++) {
      await work(seconds * 200);
      log(describe(evidence, await server.measure()));
    }
    const after = await server.measure();
    if (!server.isUp) witness.complain("the server is gone");
    const exit = await server.close();
    const runs = await checkRecord(server.home, witness);
    const left = server.processes().length;
    const { calls, faults, kills, wrong, followed } = evidence;
    return { calls, faults, kills, runs, followed: followed.size, wrong, before, after, exit, left };
  } finally {
    server.remove();
  }
}

/** One fault after each two deeds, so that neither waits for the other's turn. */
function mix<T>(deeds: readonly T[], faults: readonly T[]): T[] {
  const all: T[] = [];
  for (let index = 0; index < deeds.length * faults.length; index++) {
    all.push(deeds[(2 * index) % deeds.length] as T, deeds[(2 * index + 1) % deeds.length] as T);
    all.push(faults[index % faults.length] as T);
  }
  return all;
}

/** Kills a fork server every now and then, whatever runs on it. */
async function killUntil(server: LoadServer, witness: Witness, endMs: number, seconds: number): Promise<void> {
  const everyMs = Math.min(seconds * 60, 10_000);
  for (let turn = 0; Date.now() + everyMs < endMs && !witness.evidence.hangs; turn++) {
    await sleep(everyMs);
    const servers = server.forkServers();
    const pid = servers[turn % Math.max(1, servers.length)];
    if (pid !== undefined) witness.kill(pid);
  }
}

/** Until nothing is under way any more; what still is after a while is lost. */
async function rest({ call, complain }: Witness): Promise<void> {
  const endMs = Date.now() + IDLE_MS;
  while (Date.now() < endMs) {
    const { value } = await call("GET", "/runs?status=running&limit=1");
    const { text } = await call("GET", "/metrics");
    const isIdle = ["drydock_http_streams 0", "drydock_sessions_live 0", "drydock_background_runs 0"].every((line) =>
      text.split("\n").includes(line),
    );
    if (isIdle && (value.runs as unknown[]).length === 0) return;
    await sleep(100);
  }
  const { text } = await call("GET", "/runs?status=running&limit=3");
  complain(`what was started does not end: ${text.slice(0, 400)}`);
}

/** Each run has its numbers without a gap and one end, which is its last event; what was told is what is on record. */
async function checkRecord(home: string, { evidence, complain }: Witness): Promise<number> {
  const dock = await createDock({ home, warm: 0 });
  try {
    const { ok, ...audited } = await dock.audit.verify();
    if (!ok) complain(`audit: ${JSON.stringify(audited)}`);
    const runs = new Map<string, { status: string; events: number; ends: number; last: string }>();
    for await (const line of dock.audit.export()) {
      const entry = JSON.parse(line) as Record<string, unknown>;
      if (entry.record === "run") {
        runs.set(String(entry.id), { status: String(entry.status), events: 0, ends: 0, last: "" });
      } else if (entry.record === "event") {
        const run = runs.get(String(entry.runId));
        if (!run) continue;
        if (entry.seq !== run.events) complain(`${entry.runId}: event ${entry.seq} stands where ${run.events} should`);
        run.events++;
        run.last = String(entry.type);
        if (isFinalEvent(run.last)) run.ends++;
      }
    }
    for (const [id, { status, ends, last, events }] of runs) {
      if (ends !== 1 || !isFinalEvent(last)) complain(`${id} (${status}) has ${ends} ends, the last event is ${last}`);
      const followed = evidence.followed.get(id);
      if (followed !== undefined && followed !== events)
        complain(`${id}: ${followed} of ${events} events were followed`);
    }
    for (const [id, endings] of evidence.acknowledged) {
      const status = runs.get(id)?.status ?? "lost";
      if (!endings.includes(status)) complain(`${id} was acknowledged and is ${status}, not ${endings.join(" or ")}`);
    }
    return runs.size;
  } finally {
    await dock.close();
  }
}

function isFinalEvent(type: string): boolean {
  return (TERMINAL_EVENTS as readonly string[]).includes(type);
}

function describe({ calls, faults, kills, wrong }: Evidence, { heapBytes, rssBytes, descriptors }: Memory): string {
  const mb = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  const held = `heap ${mb(heapBytes)} MB, rss ${mb(rssBytes)} MB, ${descriptors} descriptors`;
  return `${calls} calls, ${faults} faults, ${kills} kills, ${wrong.length} wrong; ${held}`;
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error);
}
