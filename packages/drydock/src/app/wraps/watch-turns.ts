/** Nothing typed and nothing printed for so long after Enter: the turn is over. */
const QUIET_MS = 1500;
/** What a program changes without end of a turn is not lost for longer than this, if Drydock itself is killed. */
const INTERVAL_MS = 20_000;
const LOOK_MS = 250;
/** Copying takes no more than this part of the time. */
const PAUSE_FACTOR = 20;

export interface TurnWatch {
  noteInput(bytes: Uint8Array): void;
  noteOutput(): void;
  stop(): void;
}

/**
 * A turn begins when somebody presses Enter, and is over when the program has become quiet: a shell shows its prompt, an
 * agent has stopped its spinner. A program that is never quiet is looked at from time to time.
 */
export function createTurnWatch(onTurn: (reason: "turn" | "interval") => Promise<unknown>): TurnWatch {
  let isOpen = false;
  let movedAt = performance.now();
  let lookedAt = performance.now();
  let pauseMs = 0;
  let isLooking = false;

  async function look(reason: "turn" | "interval"): Promise<void> {
    isLooking = true;
    const since = performance.now();
    try {
      await onTurn(reason);
    } catch {
      // The program ends, or something is copied anyway: its end keeps everything.
    } finally {
      isLooking = false;
      lookedAt = performance.now();
      pauseMs = (lookedAt - since) * PAUSE_FACTOR;
    }
  }

  const timer = setInterval(() => {
    const now = performance.now();
    if (isLooking || now < lookedAt + pauseMs) return;
    if (isOpen && now > movedAt + QUIET_MS) {
      isOpen = false;
      void look("turn");
    } else if (now > lookedAt + INTERVAL_MS) void look("interval");
  }, LOOK_MS);
  timer.unref();

  return {
    noteInput(bytes) {
      movedAt = performance.now();
      // Carriage return, line feed: what Enter sends.
      if (bytes.includes(13) || bytes.includes(10)) isOpen = true;
    },
    noteOutput() {
      movedAt = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
