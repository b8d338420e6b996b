import { PlanAccepted } from "@drydock/protocol";
import type { EngineContext } from "../engine-context.ts";

/** Whether a person wrote, approved or edited the accepted plan. */
export function isUsersPlan({ journal, settings }: Pick<EngineContext, "journal" | "settings">): boolean {
  const accepted = PlanAccepted.safeParse(journal.find("plan.accepted", "plan")?.data).data;
  return settings.planIsUsers || (accepted !== undefined && accepted.review !== "none");
}
