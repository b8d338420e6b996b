import type { Layer } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { RecordedContents } from "../runs/recorded/recorded-answers.ts";

/** Keeps a layer with its contents for a run, whatever becomes of the one that made it. Returns where the layer is kept. */
export async function keepLayer(
  { blobs }: Pick<Ledger, "blobs">,
  runId: string,
  layer: Layer,
  contents: RecordedContents,
): Promise<string> {
  const hashes = new Set(layer.entries.flatMap((entry) => (entry.kind === "deleted" ? [] : (entry.sha256 ?? []))));
  for (const sha256 of hashes) await blobs.put(await contents.readWhole(sha256), { runId });
  return (await blobs.put(Buffer.from(JSON.stringify(layer)), { runId })).sha256;
}
