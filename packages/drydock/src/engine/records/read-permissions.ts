import { PermissionDecision, type RunEvent } from "@drydock/protocol";

/** What an agent asked permission for, and how that was answered. */
export function readPermissions(events: readonly RunEvent[]): PermissionDecision[] {
  return events.flatMap(({ type, data }) =>
    type === "permission.decided" ? (PermissionDecision.safeParse(data).data ?? []) : [],
  );
}
