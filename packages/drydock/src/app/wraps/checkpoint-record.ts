import { DrydockError, Layer, type RunEvent } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { Moment } from "../../sandbox/index.ts";
import { readLayer } from "../runs/read-layer.ts";
import { keepContents } from "../runs/record/record-layer.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import type { Checkpoint } from "./api.ts";

type Reason = "start" | "turn" | "asked" | "interval" | "rewind" | "end";

/** The checkpoints of one wrap, as it makes them. */
export interface CheckpointRecord {
  /** Keeps a moment. `request`: the id of the one that asked for it. */
  add(moment: Moment, reason: Reason, request?: string): Promise<Checkpoint>;
  readonly list: readonly Checkpoint[];
  /** The layer of one. DrydockError `input.invalid` where there is none. */
  layerOf(number: number): Promise<Layer>;
}

export function openCheckpointRecord(ledger: Ledger, runId: string): CheckpointRecord {
  const list: Checkpoint[] = [];
  const layers = new Map<string, string>();
  return {
    list,
    async add({ layer, contents }, reason, request) {
      await keepContents(ledger, runId, { contents });
      // A state that was there before is stored once.
      const known = layers.get(layer.treeHash);
      const blob = known ?? (await ledger.blobs.put(Buffer.from(JSON.stringify(layer)), { runId })).sha256;
      layers.set(layer.treeHash, blob);
      const number = list.length;
      const checkpoint: Checkpoint = {
        number,
        at: new Date().toISOString(),
        reason,
        treeHash: layer.treeHash,
        entries: layer.entries.length,
      };
      const data = { ...checkpoint, layer: blob, ...(request !== undefined && { request }) };
      await ledger.append(runId, [{ type: "checkpoint.taken", data }]);
      list.push(checkpoint);
      return checkpoint;
    },
    async layerOf(number) {
      const checkpoint = requireCheckpoint(runId, list, number);
      const blob = layers.get(checkpoint.treeHash) ?? "";
      return Layer.parse(JSON.parse((await ledger.blobs.readWhole(blob)).toString()));
    },
  };
}

export async function readCheckpoints(ledger: Ledger, runId: string): Promise<Checkpoint[]> {
  return (await readTaken(ledger, runId)).map(toCheckpoint);
}

/** The layer of a checkpoint of a wrap that is on record; without a number, of its end or its last checkpoint. */
export async function readCheckpointLayer(
  ledger: Ledger,
  runId: string,
  number: number | undefined,
): Promise<{ checkpoint: Checkpoint; layer: Layer }> {
  const taken = await readTaken(ledger, runId);
  const list = taken.map(toCheckpoint);
  const checkpoint = requireCheckpoint(runId, list, number ?? list.length - 1);
  const event = taken[checkpoint.number];
  if (!event) throw noCheckpoint(runId, list, checkpoint.number);
  return { checkpoint, layer: await readLayer(ledger, event) };
}

export function requireCheckpoint(runId: string, list: readonly Checkpoint[], number: number): Checkpoint {
  const found = list[number];
  if (!found) throw noCheckpoint(runId, list, number);
  return found;
}

async function readTaken(ledger: Ledger, runId: string): Promise<RunEvent[]> {
  return (await readAllEvents(ledger, runId)).filter(({ type }) => type === "checkpoint.taken");
}

export function toCheckpoint({ data }: Pick<RunEvent, "data">): Checkpoint {
  return {
    number: Number(data.number),
    at: String(data.at),
    reason: String(data.reason),
    treeHash: String(data.treeHash),
    entries: Number(data.entries),
  };
}

function noCheckpoint(runId: string, list: readonly Checkpoint[], number: number): DrydockError {
  const there = list.length === 0 ? "It has none." : `It has 0 to ${list.length - 1}.`;
  const hint = `${there} \`drydock wrap checkpoints ${runId}\` lists them.`;
  return new DrydockError("input.invalid", `Run ${runId} has no checkpoint ${number}.`, hint, { runId, number });
}
