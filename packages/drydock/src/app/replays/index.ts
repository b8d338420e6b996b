/** What other use cases use of this one. */
export { concludeReplay } from "./conclude-replay.ts";
export { pickWork, RecordedExec, readCode } from "./exec/read-exec-work.ts";
export { findAlteredEvents } from "./find-alterations.ts";
export { readFrozenPolicy } from "./frozen-policy.ts";
export { readRequest } from "./read-request.ts";
export { replayVerification } from "./replay-verify.ts";
