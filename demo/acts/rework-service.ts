import type { Dock } from "drydock";
import { performGoal } from "../goals/perform-goal.ts";
import type { Stage } from "../stage.ts";
import { checkDelivered } from "./fix-bugs.ts";

/** A first attempt that its checks refuse, and a second one that gets the reason. */
export async function reworkService(dock: Dock, stage: Stage): Promise<void> {
  stage.act(
    "A first attempt that fails",
    "The checks start the service in their sandbox and ask it. What they find goes back to the model.",
  );
  const done = await performGoal(dock, stage, {
    goal: "Let one ask for a single berth",
    workspace: "rework",
    script: "rework.script.yaml",
  });
  const verdicts = done.events.filter(({ type }) => type === "task.verified").map(({ data }) => data.verdict);
  checkDelivered(stage, done);
  stage.check("the first attempt failed, the second one passed", verdicts.join() === "failed,passed");
}
