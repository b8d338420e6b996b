import { DrydockError, type Run } from "@drydock/protocol";
import { requireRun } from "../runs/require-run.ts";
import type { GoalPorts } from "./goal-ports.ts";

/** Throws unless a run of this workspace can go on from the result of that one. */
export async function requireFollowable(
  { ledger }: Pick<GoalPorts, "ledger">,
  runId: string,
  workspace: string,
): Promise<Run> {
  const run = await requireRun(ledger, runId);
  const refuse = (reason: string, hint: string) =>
    new DrydockError("input.invalid", `Run ${runId} can't be followed: ${reason}.`, hint, { runId });
  if (run.kind !== "goal" || run.workspace === null) {
    const hint = "Only runs of `drydock run` can be followed: `drydock runs list --kind goal` shows them.";
    throw refuse(`it is of the kind ${run.kind}`, hint);
  }
  if (run.endedAt === null) {
    const hint =
      run.status === "running"
        ? `Wait for its end (\`drydock runs events ${runId} --follow\`), or cancel it: \`drydock runs cancel ${runId}\`.`
        : `Continue it: \`drydock run --resume ${runId}\`. Or cancel it: \`drydock runs cancel ${runId}\`.`;
    throw refuse(`it has not ended (${run.status})`, hint);
  }
  if (run.workspace !== workspace) {
    const hint = `Start the new run there: --workspace ${run.workspace}`;
    throw refuse(`it worked on ${run.workspace}, and not on ${workspace}`, hint);
  }
  return run;
}
