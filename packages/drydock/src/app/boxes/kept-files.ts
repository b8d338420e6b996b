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

/** What a box begins with. */
interface KeptFiles {
  layer?: Layer;
  /** Why files of the box before are not there; null where all of them are. */
  warning: string | null;
}

/** What the box before left, as a layer for `runId`, which has its contents from then on. */
export async function readKeptFiles(
  { ledger, sandbox }: ExecPorts,
  { values }: HostStore,
  { key, runId, workspace, policy }: { key: string; runId: string; workspace: string | null; policy: EffectivePolicy },
): Promise<KeptFiles> {
  const earlier = await values.get(OWNER, key);
  if (earlier === null) return { warning: null };
  const contents = createTreeContents(ledger, runId);
  const layer = await readEarlier(ledger, earlier, contents).catch(() => null);
  if (layer === null) return { warning: `The files of the box before (${earlier}) are on record no more.` };
  if (!layer || workspace === null) return { layer, warning: null };
  const workbench = await sandbox().openWorkbench({ workspace, policy, contents });
  try {
    const rebased = await workbench.rebase(layer);
    if (rebased.ok) return { layer: rebased.layer, warning: null };
    const what = "do not fit the workspace any more, which has changed meanwhile";
    return {
      warning: `The files of the box before ${what}. They are in the run ${earlier}: \`drydock runs diff ${earlier}\`.`,
    };
  } finally {
    await workbench.close();
  }
}

/** Undefined where the box changed nothing, null where its run is gone. */
async function readEarlier(
  ledger: ExecPorts["ledger"],
  runId: string,
  contents: ReturnType<typeof createTreeContents>,
): Promise<Layer | undefined | null> {
  const events = await readAllEvents(ledger, runId);
  if (events.length === 0) return null;
  const captured = events.findLast(({ type }) => type === "layer.captured");
  const layer = captured && (await readLayer(ledger, captured));
  for (const { kind, sha256 } of layer?.entries ?? []) {
    if (kind !== "deleted" && sha256 !== undefined) await contents.put(await ledger.blobs.readWhole(sha256));
  }
  return layer;
}
