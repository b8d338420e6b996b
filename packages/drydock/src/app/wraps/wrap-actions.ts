import { setTimeout as pause } from "node:timers/promises";
import { DrydockError, hasEnded, type RunEvent } from "@drydock/protocol";
import { refusedOutcome } from "../../sandbox/index.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { requireRun } from "../runs/require-run.ts";
import type { Checkpoint, WrapOptions, Wraps } from "./api.ts";
import { openCheckpointRecord, readCheckpoints, requireCheckpoint, toCheckpoint } from "./checkpoint-record.ts";
import { readEarlierRequest } from "./earlier-request.ts";
import { readStart, readWrap } from "./read-wrap.ts";
import { settleWrap } from "./settle-wrap.ts";
import type { WrapPorts } from "./wrap-ports.ts";

const LOOK_MS = 100;

/** Finds wraps, and has them make checkpoints and rewind. The program itself may run in another process. */
export function createWrapActions(ports: WrapPorts): Omit<Wraps, "run"> {
  const { ledger } = ports;

  /** Sends a request to the process that has the program, and waits for the event that answers it. */
  async function request(
    runId: string,
    kind: "checkpoint" | "rewind",
    data: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<RunEvent> {
    const name = `${kind}-${crypto.randomUUID()}`;
    let seq = (await readAllEvents(ledger, runId)).length - 1;
    await ledger.requests.send(runId, kind, { ...data, request: name });
    for (;;) {
      for (const event of await readAllEvents(ledger, runId, seq)) {
        seq = event.seq;
        if (event.data.request === name && event.type !== "checkpoint.failed") return event;
        if (event.data.request === name) throw refused(event);
      }
      await ledger.recover();
      if (hasEnded(await requireRun(ledger, runId))) throw hasEndedError(runId);
      await pause(LOOK_MS, undefined, { signal });
    }
  }

  async function requireWrap(runId: string) {
    // A run whose process is gone has ended, even without a terminal event.
    await ledger.recover();
    const run = await requireRun(ledger, runId);
    if (run.kind === "wrap") return run;
    const hint = "`drydock runs list --kind wrap` lists those that there are.";
    throw new DrydockError("input.invalid", `Run ${runId} is no wrap, but of the kind ${run.kind}.`, hint, { runId });
  }

  return {
    async find({ workspace, isRunning = false }) {
      await ledger.recover();
      const narrowed = { kind: "wrap", limit: 1, ...(workspace !== undefined && { workspace }) } as const;
      const { runs } = await ledger.listRuns({ ...narrowed, status: "running" });
      if (runs[0]) return runs[0].id;
      if (isRunning) return null;
      return (await ledger.listRuns(narrowed)).runs[0]?.id ?? null;
    },
    async checkpoints(runId) {
      await requireWrap(runId);
      return readCheckpoints(ledger, runId);
    },
    async checkpoint(runId, { signal } = {}) {
      const run = await requireWrap(runId);
      if (hasEnded(run)) throw hasEndedError(runId);
      return toCheckpoint(await request(runId, "checkpoint", {}, signal));
    },
    async rewind(runId, to, { signal, onCheck } = {}) {
      const run = await requireWrap(runId);
      if (!hasEnded(run)) {
        const event = await request(runId, "rewind", to === undefined ? {} : { to }, signal);
        const list = await readCheckpoints(ledger, runId);
        const checkpoint = requireCheckpoint(runId, list, Number(event.data.number));
        return { runId, checkpoint, result: null };
      }
      const list = await readCheckpoints(ledger, runId);
      const checkpoint = requireCheckpoint(runId, list, to ?? findEarlier(runId, list));
      return { ...(await restoreEnded(ports, runId, checkpoint, { signal, onCheck })), checkpoint };
    },
  };
}

/** A run that has ended stays as it is: its verdict is about its last state. The earlier state becomes a run of its own. */
async function restoreEnded(
  ports: WrapPorts,
  from: string,
  { number }: Checkpoint,
  options: Pick<WrapOptions, "signal" | "onCheck">,
) {
  const { ledger } = ports;
  const run = await requireRun(ledger, from);
  const { request, command, checks, mayChange } = await readEarlierRequest(ledger, from);
  const workspace = run.workspace ?? "";
  const read = await readWrap(ports, { command, workspace, checks, mayChange });
  const { id: runId } = await ledger.createRun({
    kind: "wrap",
    title: `${command.join(" ")} (rewound to checkpoint ${number} of ${from})`,
    workspace,
    data: {
      policy: read.resolved.effective,
      request: { ...request, checks: read.checks, from, fromCheckpoint: number },
    },
  });
  const record = openCheckpointRecord(ledger, runId);
  const nothing = refusedOutcome(new DrydockError("internal", "", ""), { workspace });
  try {
    const layer = await readStart(ports, runId, { from, fromCheckpoint: number, ...options }, read);
    if (layer) await record.add({ layer, contents: new Map() }, "start");
    const outcome = { ...nothing, layer: layer ?? nothing.layer, error: null, exitCode: null };
    const settling = { runId, workspace, resolved: read.resolved, required: read.checks, record };
    return { runId, result: await settleWrap(ports, settling, outcome, { ...options, mayChange }) };
  } catch (error) {
    const { usage, sandbox } = nothing;
    const data = { error: asDrydockError(error).toInfo(), usage, sandbox, verdict: "unverified", treeHash: null };
    await ledger.finish(runId, { type: "run.failed", data });
    throw error;
  }
}

/** The last checkpoint before what the run ended with. */
function findEarlier(runId: string, list: readonly Checkpoint[]): number {
  const last = list.at(-1);
  const found = list.findLast((each) => each.treeHash !== last?.treeHash);
  if (found) return found.number;
  const hint = "It changed nothing that could be undone.";
  throw new DrydockError("input.invalid", `Run ${runId} has no other state to return to.`, hint, { runId });
}

function hasEndedError(runId: string): DrydockError {
  const hint = `Its states are listed by \`drydock wrap checkpoints ${runId}\`. To go on from one: \`drydock wrap --from ${runId}\`.`;
  return new DrydockError("input.invalid", `The program of run ${runId} has ended.`, hint, { runId });
}

function refused({ data }: RunEvent): DrydockError {
  return new DrydockError("input.invalid", String(data.reason), String(data.hint ?? ""), {});
}
