/** A timer for a longer time fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface IdleTimer {
  readonly lastUsed: Date;
  readonly hasFired: boolean;
  restart(): void;
  stop(): void;
}

/** Calls `onIdle` when a session was not used for so long. Runs from the start; stopped while a step runs. */
export function createIdleTimer(idleSeconds: number, onIdle: () => void): IdleTimer {
  let lastUsed = new Date();
  let hasFired = false;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  const fire = () => {
    hasFired = true;
    onIdle();
  };
  const restart = () => {
    stop();
    lastUsed = new Date();
    timer = setTimeout(fire, Math.min(idleSeconds * 1000, LONGEST_TIMER_MS)).unref();
  };
  restart();
  return {
    get lastUsed() {
      return lastUsed;
    },
    get hasFired() {
      return hasFired;
    },
    restart,
    stop,
  };
}
