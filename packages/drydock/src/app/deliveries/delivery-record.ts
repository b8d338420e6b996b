import { basename } from "node:path";
import type { Layer, Run, RunEvent } from "@drydock/protocol";
import type { DeliveryJournal, OpenDelivery } from "../../engine/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { readLayer } from "../runs/read-layer.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import { requireRun } from "../runs/require-run.ts";

/** What has become of a run's changes: the last word about them counts. */
type LayerFate =
  | { kind: "kept"; isUndone: boolean }
  | { kind: "applied"; branch: string | null; commit: string | null }
  | { kind: "discarded" };

/** A run and its changes, as far as a delivery needs them. */
export interface RunLayer {
  run: Run;
  /** Null where the run changed nothing. */
  layer: Layer | null;
  fate: LayerFate;
  /** Why the run has its verdict, where it is on record. */
  reason: string;
  /** The policy that was frozen into the run when it started. */
  policy: unknown;
  /** How many checks were declared for it at its start, and the number of its last checkpoint: of wraps alone. */
  declared: { checks: number; checkpoint: number };
}

export async function readRunLayer(ledger: Ledger, runId: string): Promise<RunLayer> {
  const run = await requireRun(ledger, runId);
  const events = await readAllEvents(ledger, runId);
  const captured = findCaptured(run, events);
  const layer = captured && (await readLayer(ledger, captured));
  const reason = text(events.findLast(({ type }) => type === "run.failed")?.data.reason) ?? "";
  const { policy } = events[0]?.data ?? {};
  return { run, layer: layer ?? null, fate: foldFate(events), reason, policy, declared: findDeclared(run, events) };
}

function findDeclared({ kind }: Run, events: readonly RunEvent[]): RunLayer["declared"] {
  const { checks } = (events[0]?.data.request ?? {}) as { checks?: unknown };
  const taken = events.filter(({ type }) => type === "checkpoint.taken").length;
  return { checks: kind === "wrap" && Array.isArray(checks) ? checks.length : 0, checkpoint: Math.max(taken - 1, 0) };
}

/** Puts a delivery that is done on record, once: a crash may have come between the two. */
export async function recordDelivery(ledger: Ledger, delivery: OpenDelivery, journal: DeliveryJournal): Promise<void> {
  const runId = basename(delivery.journalDirectory);
  const { fate, layer } = await readRunLayer(ledger, runId);
  const isApply = delivery.kind === "apply";
  if ((fate.kind === "applied") === isApply) return;
  // Merged with something else, it is neither of the two trees that are known.
  const { merged, left, reduced = [], autorun = [], ignored = 0 } = journal;
  const isOneTree = merged.length === 0 && left.length === 0 && reduced.length === 0 && ignored === 0;
  const treeHash = (isApply ? layer?.treeHash : layer?.baseHash) ?? null;
  const data = {
    treeHash: isOneTree ? treeHash : null,
    files: journal.items.length,
    merged,
    deliveredTo: delivery.workspace,
    ...(left.length > 0 && { left }),
    ...(reduced.length > 0 && { reduced }),
    ...(autorun.length > 0 && { autorun }),
    ...(ignored > 0 && { ignored }),
  };
  await ledger.append(runId, [{ type: isApply ? "layer.applied" : "layer.reverted", data }]);
}

/** Of a goal only what was judged as a whole; of an execution what it ended with. */
function findCaptured(run: Run, events: readonly RunEvent[]): RunEvent | undefined {
  return events.findLast(({ type, data }) => type === "layer.captured" && (run.kind !== "goal" || data.final === true));
}

function foldFate(events: readonly RunEvent[]): LayerFate {
  let fate: LayerFate = { kind: "kept", isUndone: false };
  for (const { type, data } of events) {
    if (type === "layer.applied") fate = { kind: "applied", branch: text(data.branch), commit: text(data.commit) };
    else if (type === "layer.reverted") fate = { kind: "kept", isUndone: true };
    else if (type === "layer.discarded") fate = { kind: "discarded" };
  }
  return fate;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
