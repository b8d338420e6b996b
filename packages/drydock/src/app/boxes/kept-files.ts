import type { EffectivePolicy, Layer } from "@drydock/protocol";
import type { HostStore } from "../../ledger/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { readLayer } from "../runs/read-layer.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";

const OWNER = "boxes";

/** The files of a box that has ended are those of the next one with its key. */
export async function keepFiles({ values }: HostStore, key: string, runId: string): Promise<void> {
  await values.set(OWNER, key, runId);
}

/**
 * What the box before left, as a layer for `runId`, which has its contents from then on. Undefined where there is nothing, where
 * it is on record no more, or where it does not fit the workspace as it is now.
 */
export async function readKeptFiles(
  { ledger, sandbox }: ExecPorts,
  { values }: HostStore,
  { key, runId, workspace, policy }: { key: string; runId: string; workspace: string | null; policy: EffectivePolicy },
): Promise<Layer | undefined> {
  const earlier = await values.get(OWNER, key);
  if (earlier === null) return undefined;
  const contents = createTreeContents(ledger, runId);
  const layer = await readEarlier(ledger, earlier, contents).catch(() => undefined);
  if (!layer || workspace === null) return layer;
  const workbench = await sandbox().openWorkbench({ workspace, policy, contents });
  try {
    const rebased = await workbench.rebase(layer);
    return rebased.ok ? rebased.layer : undefined;
  } finally {
    await workbench.close();
  }
}

async function readEarlier(
  ledger: ExecPorts["ledger"],
  runId: string,
  contents: ReturnType<typeof createTreeContents>,
): Promise<Layer | undefined> {
  const captured = (await readAllEvents(ledger, runId)).findLast(({ type }) => type === "layer.captured");
  const layer = captured && (await readLayer(ledger, captured));
  for (const { kind, sha256 } of layer?.entries ?? []) {
    if (kind !== "deleted" && sha256 !== undefined) await contents.put(await ledger.blobs.readWhole(sha256));
  }
  return layer;
}
