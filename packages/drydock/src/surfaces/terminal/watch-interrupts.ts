import { EXIT_STATUS } from "@drydock/protocol";

export interface Interrupts extends Disposable {
  signal: AbortSignal;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal cancels what is under way, which then ends in order; the second ends the process at once. */
export function watchInterrupts(): Interrupts {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT_STATUS["run.cancelled"]);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, interrupt);
    },
  };
}
