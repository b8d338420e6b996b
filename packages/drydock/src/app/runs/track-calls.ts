import { DrydockError } from "@drydock/protocol";

/** Carries something out with a signal that ends with the caller's and with the dock. */
export type Track = <T>(signal: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** The calls of a dock that are under way, so that closing it can cancel them and wait for them. */
export function trackCalls() {
  const inFlight = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const requireOpen = () => {
    if (!stopping.signal.aborted) return;
    throw new DrydockError("input.invalid", "This dock is closed.", "Open another with createDock().");
  };
  const track: Track = async (outer, act) => {
    requireOpen();
    const call = act(outer ? AbortSignal.any([outer, stopping.signal]) : stopping.signal);
    inFlight.add(call);
    return call.finally(() => inFlight.delete(call));
  };
  return {
    track,
    requireOpen,
    /** From now on nothing is begun, and what is under way is cancelled. */
    stop: () => stopping.abort(),
    settle: () => Promise.allSettled(inFlight),
  };
}
