import { Layer, type RunEvent } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";

/** The layer that a `layer.captured` names, checked against the hash that is on record. */
export async function readLayer({ blobs }: Pick<Ledger, "blobs">, captured: RunEvent): Promise<Layer> {
  return Layer.parse(JSON.parse((await blobs.readWhole(String(captured.data.layer))).toString()));
}
