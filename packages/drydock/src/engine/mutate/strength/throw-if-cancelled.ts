import { DrydockError } from "@drydock/protocol";

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new DrydockError("run.cancelled", "Measuring the strength was cancelled.", "Start it again when you want it.");
}
