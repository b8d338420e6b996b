import type { ArtifactRef, ExecResult } from "@drydock/protocol";
import type { Ledger, NewEvent } from "../../../ledger/index.ts";
import { layerChanges, type Outcome } from "../../../sandbox/index.ts";
import { dropContents, keepContents, recordLayer } from "./record-layer.ts";
import { INLINE_OUTPUT_CHARS, recordOutput } from "./record-output.ts";
import { MAX_ARTIFACT_BYTES, storeArtifacts } from "./store-artifacts.ts";

export interface RecordedOutcome {
  result: Omit<ExecResult, "runId">;
  events: NewEvent[];
  terminal: NewEvent;
}

/** Stores an outcome's files, and returns the result and the events that record it. */
export async function recordOutcome(ledger: Ledger, runId: string, outcome: Outcome): Promise<RecordedOutcome> {
  try {
    return await record(ledger, runId, outcome);
  } finally {
    // In any case: unused copies must not stay on a disk that may be full. A file that was written again as it was has
    // a content, and is no change.
    await dropContents(outcome);
  }
}

async function record(ledger: Ledger, runId: string, outcome: Outcome): Promise<RecordedOutcome> {
  const { stdout, stderr, result, error, usage, layer, sandbox } = outcome;
  const notes = [...outcome.notes, ...noteLarge(outcome)];
  const artifacts = await storeArtifacts(ledger, runId, outcome);
  const events: NewEvent[] = [];
  if (layer.entries.length > 0) {
    await keepContents(ledger, runId, outcome);
    events.push(await recordLayer(ledger, runId, layer));
  }
  const texts = { stdout: stdout.toString(), stderr: stderr.toString() };
  if (stdout.length + stderr.length > 0) events.push(recordOutput(ledger, texts));
  events.push(...recordUse(outcome, artifacts));
  const end = { error, usage, sandbox, treeHash: layer.treeHash, notes };
  const type = error === null ? "run.succeeded" : error.code === "run.cancelled" ? "run.cancelled" : "run.failed";
  return {
    result: { ok: error === null, ...texts, result, artifacts, changes: layerChanges(layer), ...end },
    events,
    terminal: {
      type,
      data: { ...end, result: JSON.stringify(result)?.length > INLINE_OUTPUT_CHARS ? "[too large]" : result },
    },
  };
}

/** The events of an execution's connections and artifacts. */
export function recordUse({ network }: Outcome, artifacts: readonly ArtifactRef[]): NewEvent[] {
  return [
    ...network.refused.map((data) => ({ type: "network.refused", data }) as const),
    ...network.connected.map((data) => ({ type: "network.connected", data }) as const),
    ...network.requests.map((data) => ({ type: "upstream.requested", data: { ...data } }) as const),
    ...artifacts.map((data) => ({ type: "artifact.stored", data }) as const),
  ];
}

function noteLarge({ layer }: Outcome): string[] {
  const large = layer.entries.filter((entry) => (entry.size ?? 0) > MAX_ARTIFACT_BYTES).map(({ path }) => path);
  return large.length === 0 ? [] : [`too large to be an artifact (over 64 MB): ${large.slice(0, 5).join(", ")}`];
}
