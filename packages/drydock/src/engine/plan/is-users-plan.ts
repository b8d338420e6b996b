import { PlanAccepted } from "@drydock/protocol";
import type { EngineContext } from "../engine-context.ts";

/** Whether the accepted plan is a person's word. One that a person approved or edited is, whoever proposed it. */
export function isUsersPlan({ journal, settings }: Pick<EngineContext, "journal" | "settings">): boolean {
  const accepted = PlanAccepted.safeParse(journal.find("plan.accepted", "plan")?.data).data;
  return settings.planIsUsers || (accepted !== undefined && accepted.review !== "none");
}
