/** What other use cases use of this one. */
export type { LiveSessions } from "./create-sessions.ts";
export { execInSession } from "./exec-in-session.ts";
export type { SessionPackages } from "./session-parts.ts";
