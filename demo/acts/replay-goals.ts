import { basename } from "node:path";
import type { Dock, ReplayResult } from "drydock";
import type { Stage } from "../stage.ts";

/** Every goal above, once more from the ledger: the recorded answers, fresh sandboxes, and no model at all. */
export async function replayGoals(dock: Dock, stage: Stage): Promise<void> {
  stage.act("All goals again, from the ledger", "Recorded answers, fresh sandboxes, no model; each step is compared.");
  const { runs } = await dock.runs.list({ limit: 200 });
  const goals = runs.filter(({ kind }) => kind === "goal").reverse();
  const rows = [["run", "verdict", "again", "tree", "steps", "divergences"]];
  // One after the other: a check that has to end in seconds is not judged by how busy the machine is.
  const replays: ReplayResult[] = [];
  for (const { id } of goals) replays.push(await dock.runs.replay(id));
  const isSame = replays.map((again, index) => {
    const { workspace, verdict, treeHash } = goals[index] ?? {};
    const named = again.divergences.map(({ step, what }) => `${step}: ${what}`).join("; ");
    const tree = again.treeHash?.slice(0, 12) ?? "";
    rows.push([basename(workspace ?? ""), String(verdict), again.verdict, tree, String(again.steps), named || "none"]);
    return again.ok && again.verdict === verdict && again.treeHash === treeHash;
  });
  stage.table(rows);
  stage.check(`${goals.length} goals replayed, no divergence`, goals.length > 0 && !isSame.includes(false));
}
