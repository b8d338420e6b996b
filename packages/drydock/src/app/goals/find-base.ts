import { DrydockError, Layer, type RunEvent } from "@drydock/protocol";
import type { Workbench } from "../../sandbox/index.ts";
import type { RecordedContents } from "../runs/recorded/recorded-answers.ts";

/**
 * What makes the workspace what it was when the run began: nothing where it still is, else what takes the run's own
 * delivery back. A workspace that others changed since is refused: on another tree, another verdict proves nothing.
 */
export async function findBase(
  contents: RecordedContents,
  workbench: Workbench,
  events: readonly RunEvent[],
): Promise<Layer | null> {
  const isFirst = ({ type, data }: RunEvent) => type === "attempt.started" && isEmpty(data.on);
  // What a run takes over undelivered is part of its change, and not of what it is compared with.
  const followed = events.find(({ type }) => type === "run.followed");
  const wanted = (followed ?? events.find(isFirst))?.data.baseHash;
  if (wanted === undefined || wanted === workbench.treeHash) return null;
  const captured = (key: string) => events.findLast(({ type, data }) => type === "layer.captured" && data.key === key);
  const final = await readLayer(contents, captured("final"));
  const undone = final && (await workbench.undo(final));
  if (undone?.ok && undone.layer.treeHash === wanted) return undone.layer;
  // A run that went on from an older one began on the workspace without what that one had delivered.
  const initial = await readLayer(contents, captured("initial"));
  const whole =
    initial &&
    (initial.baseHash === workbench.treeHash ? initial : undone?.ok && workbench.stack(undone.layer, initial));
  if (whole && whole.treeHash === wanted) return whole;
  throw new DrydockError(
    "delivery.conflict",
    `The workspace ${workbench.workspace} matches neither its state before the run nor the result of the run.`,
    "Restore the state before the run (for example with git), or replay in a copy in that state: --workspace DIR.",
    { wanted, found: workbench.treeHash, ...(undone && !undone.ok && { conflicts: undone.conflicts }) },
  );
}

async function readLayer(contents: RecordedContents, event: RunEvent | undefined): Promise<Layer | null> {
  if (!event) return null;
  return Layer.parse(JSON.parse((await contents.readWhole(String(event.data.layer))).toString()));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
