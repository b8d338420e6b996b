import { DrydockError } from "@drydock/protocol";
import type { ControlPorts, ControlRequest } from "../../engine/index.ts";
import type { Ledger } from "../../ledger/index.ts";

export interface Control extends ControlPorts {
  /** Aborts when the run is cancelled, by its holder or from another process. */
  readonly signal: AbortSignal;
  close(): void;
}

const LOOK_MS = 500;

/**
 * Requests to a run that is under way (pause, cancel, retry). They go through the ledger, which all processes of a home
 * share.
 */
export function openControl(ledger: Ledger, runId: string, outer: AbortSignal | undefined): Control {
  const cancelled = new AbortController();
  const waiting: ControlRequest[] = [];
  let isLooking = false;
  let first: Promise<void> | undefined;

  async function look(): Promise<void> {
    for (const { kind, data } of await ledger.requests.take(runId)) {
      if (kind === "cancel") cancelled.abort(cancelledByRequest());
      else if (kind === "retry") waiting.push({ kind, task: String(data.task) });
      else if (kind === "add") waiting.push({ kind, task: data.task });
      else if (kind === "pause") waiting.push({ kind });
    }
  }
  // A cancel must be heard also while a task takes long.
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // If the ledger can't be read now, the next write reports the error.
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS);
  timer.unref();
  return {
    signal: outer ? AbortSignal.any([outer, cancelled.signal]) : cancelled.signal,
    async takeRequests() {
      // Requests from before the resume are handled before any work.
      first ??= look();
      await first;
      return waiting.splice(0);
    },
    close: () => clearInterval(timer),
  };
}

function cancelledByRequest(): DrydockError {
  return new DrydockError("run.cancelled", "The run was cancelled.", "Start it again when you want it.");
}
