/** Values that come when they like, for one reader who takes them when it likes. */
export interface EventQueue<Value> {
  push(value: Value): void;
  /** What is there can still be read; then the reader ends, with the error where there is one. */
  end(error: Error | null): void;
  read(): AsyncGenerator<Value>;
}

export function createEventQueue<Value>(): EventQueue<Value> {
  const values: Value[] = [];
  let end: { error: Error | null } | null = null;
  let wake = Promise.withResolvers<void>();
  return {
    push(value) {
      values.push(value);
      wake.resolve();
    },
    end(error) {
      end ??= { error };
      wake.resolve();
    },
    async *read() {
      for (;;) {
        const next = values.shift();
        if (next !== undefined) yield next;
        else if (end) break;
        else {
          await wake.promise;
          wake = Promise.withResolvers();
        }
      }
      if (end.error) throw end.error;
    },
  };
}
