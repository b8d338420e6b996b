interface LineQueue {
  readonly lines: AsyncIterable<string>;
  /** False where too much is waiting already. */
  push(line: string): boolean;
  end(): void;
}

/** Lines for a program that reads when it likes to, within bounds. */
export function createLineQueue(maxChars: number): LineQueue {
  const waiting: string[] = [];
  let chars = 0;
  let ended = false;
  let wake = () => {};
  async function* read(): AsyncGenerator<string> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) {
        chars -= next.length;
        yield next;
      } else if (ended) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    lines: read(),
    push(line) {
      if (ended) return true;
      if (chars + line.length > maxChars) return false;
      waiting.push(line);
      chars += line.length;
      wake();
      return true;
    },
    end() {
      ended = true;
      wake();
    },
  };
}
