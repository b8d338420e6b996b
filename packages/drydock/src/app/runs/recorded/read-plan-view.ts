import { PlanAccepted, PlanProposed, type PlanView, type RunEvent } from "@drydock/protocol";

/** The plan of a run as its events tell; null where there is none yet. */
export function readPlanView(events: readonly RunEvent[]): PlanView | null {
  const find = (type: RunEvent["type"]) => events.findLast((event) => event.type === type)?.data;
  const accepted = PlanAccepted.safeParse(find("plan.accepted")).data;
  if (accepted) return { plan: accepted.plan, state: "accepted", source: accepted.source, review: accepted.review };
  const proposed = PlanProposed.safeParse(find("plan.proposed")).data;
  return proposed ? { plan: proposed.plan, state: "proposed", source: proposed.source, review: "none" } : null;
}
