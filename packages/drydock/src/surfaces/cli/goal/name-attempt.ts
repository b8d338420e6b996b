import type { PlanTask } from "@drydock/protocol";

/** `attempt 2 of 3`. Several attempts side by side, and those of repair after a model, have numbers beyond what the plan says. */
export function nameAttempt(number: number, planned: Pick<PlanTask, "attempts"> | null | undefined): string {
  const isPlanned = planned && number <= planned.attempts;
  return `attempt ${number}${isPlanned ? ` of ${planned.attempts}` : ""}`;
}
