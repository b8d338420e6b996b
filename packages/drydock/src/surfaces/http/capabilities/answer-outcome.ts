import { type CapabilityOutcome, HTTP_STATUS } from "@drydock/protocol";
import type { CapabilityContext } from "../../../app/index.ts";
import type { Emit } from "../route/stream-call.ts";

/** The outcome with the status that fits it. A stream has its status already: there it is the last event. */
export function toOutcomeResponse(outcome: CapabilityOutcome, emit: Emit | undefined): CapabilityOutcome | Response {
  if (emit) return outcome;
  return new Response(JSON.stringify(outcome), {
    status: findStatus(outcome),
    headers: { "content-type": "application/json" },
  });
}

function findStatus(outcome: CapabilityOutcome): number {
  switch (outcome.type) {
    case "capability_result":
      return 200;
    case "capability_waiting":
      return 202;
    case "capability_error":
      return HTTP_STATUS[outcome.error.code];
    default:
      return outcome satisfies never;
  }
}

/** Events of the call while it runs, for a caller that streams. */
export function forwardCall(
  emit: Emit | undefined,
): Pick<CapabilityContext, "onOutput" | "onQueued" | "onStarted"> | undefined {
  return (
    emit && {
      onStarted: (runId) => emit("started", { runId }),
      onQueued: (position) => emit("queued", { position }),
      onOutput: (chunk) => emit("output", chunk),
    }
  );
}
