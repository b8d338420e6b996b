import { SourceRefused } from "../adapter.ts";
import { backOffMs, CallError, pause } from "./call-fault.ts";

export interface KeepConnected {
  signal: AbortSignal;
  report(problem: string | null): void;
  /** What to do where the credentials are refused. */
  deniedHint: string;
}

/**
 * Connects, and again whenever the connection is lost: at once where the platform closed it, else later each time. `connect`
 * calls `onUp` each time that the platform has shown that it is there. Ends with the signal; rejects where the credentials are
 * refused.
 */
export async function keepConnected(
  connect: (onUp: () => void) => Promise<void>,
  { signal, report, deniedHint }: KeepConnected,
): Promise<void> {
  let attempt = 0;
  let isUp = true;
  const onUp = () => {
    attempt = 0;
    if (!isUp) report(null);
    isUp = true;
  };
  while (!signal.aborted) {
    const lost = await connect(onUp).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    if (signal.aborted) return;
    const fault = lost instanceof CallError ? lost.fault : null;
    if (fault?.kind === "denied") throw new SourceRefused(fault.text, deniedHint);
    // A connection that was there, and that the platform closes now and then, is no problem.
    const retryMs = fault?.kind === "limited" ? fault.waitMs : lost === null && isUp ? 0 : backOffMs(attempt++);
    if (lost) report(lost.message);
    isUp = lost === null && isUp;
    await pause(retryMs, signal).catch(() => {});
  }
}

/** For the start of a source: the first call shows whether the credentials are good. */
export function toStartError(error: unknown, deniedHint: string): never {
  if (error instanceof CallError && error.fault.kind === "denied") throw new SourceRefused(error.message, deniedHint);
  throw error;
}
