/** What other use cases use of this one. */
export { concludeReplay } from "./conclude-replay.ts";
export { findAlteredEvents } from "./find-alterations.ts";
export { replayVerification } from "./replay-verify.ts";
