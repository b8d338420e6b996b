import type { Dock, WrapHandle, WrapOptions, WrapResult } from "drydock";

/** Somebody at a terminal that shows everything as it comes, for tests that need no screen. */
export interface AtTerminal {
  /** Everything that was shown so far. */
  readonly shown: string;
  readonly handle: WrapHandle;
  type(text: string): void;
  /** Resolves when the text has been shown since the last call. */
  sees(text: string): Promise<void>;
  readonly result: Promise<WrapResult>;
}

/** Starts a program with a terminal of 24 rows and 80 columns, and waits until it can be typed to. */
export async function openAtTerminal(
  dock: Dock,
  options: Omit<WrapOptions, "terminal" | "stdin" | "onReady">,
): Promise<AtTerminal> {
  let shown = "";
  let seen = 0;
  let wake = () => {};
  const typed: Buffer[] = [];
  let typeNow = () => {};
  let isOver = false;
  const ready = Promise.withResolvers<WrapHandle>();
  async function* keys() {
    while (!isOver) {
      const bytes = typed.shift();
      if (bytes) yield bytes;
      else
        await new Promise<void>((resolve) => {
          typeNow = resolve;
        });
    }
  }
  const result = dock.wraps.run({
    ...options,
    // Shells put no sequences of their own between the lines.
    environment: ["TERM=dumb", ...(options.environment ?? [])],
    terminal: {
      columns: 80,
      rows: 24,
      show: async (bytes) => {
        shown += bytes.toString();
        wake();
      },
    },
    stdin: keys(),
    onReady: ready.resolve,
  });
  void result
    .catch(() => {})
    .finally(() => {
      isOver = true;
      typeNow();
      wake();
    });
  const handle = await Promise.race([ready.promise, result.then(failToStart)]);
  return {
    get shown() {
      return shown;
    },
    handle,
    result,
    type(text) {
      const bytes = Buffer.from(text);
      handle.noteInput(bytes);
      typed.push(bytes);
      typeNow();
    },
    async sees(text) {
      for (;;) {
        const at = shown.indexOf(text, seen);
        if (at >= 0) {
          seen = at + text.length;
          return;
        }
        if (isOver)
          throw new Error(`the program has ended, and has not shown ${text}; it showed: ${shown.slice(-2000)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function failToStart({ error }: WrapResult): never {
  throw new Error(`the program has ended before it could be typed to: ${error?.message ?? "without an error"}`);
}
