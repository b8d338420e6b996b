/** What other use cases use of this one. */
export type { LiveSessions } from "./create-sessions.ts";
export { execInSession } from "./exec-in-session.ts";
export { carryOutActions } from "./history/carry-out-actions.ts";
export { listActions, type SessionAction } from "./history/list-actions.ts";
export { readSessionRecords } from "./history/read-records.ts";
export type { SessionPackages } from "./session-parts.ts";
