/** Of runs that are under way, or can still go on. */
export const OPEN_STATUSES = ["queued", "running", "paused", "interrupted"] as const;
export const RUN_STATUSES = [...OPEN_STATUSES, "succeeded", "failed", "cancelled", "lost"] as const;

export function hasEnded({ status }: { status: string }): boolean {
  return !(OPEN_STATUSES as readonly string[]).includes(status);
}
