/** What other use cases use of this one. */
export type { LiveSessions } from "./create-sessions.ts";
export { execInSession } from "./exec-in-session.ts";
export type { SessionAction } from "./history/list-actions.ts";
export type { SessionPackages } from "./session-parts.ts";

/** What a session did, from its records: for those who do it again. Most runs can do without. */
export const loadSessionHistory = () => import("./history/index.ts");
