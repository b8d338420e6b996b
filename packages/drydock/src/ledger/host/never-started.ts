import type { SourceStatus } from "@drydock/protocol";

/** How a source stands that no server has run yet. */
export const NEVER_STARTED: SourceStatus = {
  ...{ state: "stopped", problem: null, hint: null, since: null, retryAt: null },
  ...{ events: 0, refused: 0, lastEventAt: null, lastOutcome: null },
};
