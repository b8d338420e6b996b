/** Answers on their way to who asks for them, in order. They may come before the question. */
export interface AnswerQueue<T> {
  give(answer: T): void;
  /** The next answer; rejects once the signal is aborted. One question at a time. */
  next(signal: AbortSignal): Promise<T>;
  /** How many wait for a question. */
  readonly size: number;
  /** Whether a question waits for an answer. */
  readonly isAwaited: boolean;
}

export function createAnswerQueue<T>(): AnswerQueue<T> {
  const waiting: T[] = [];
  let hand: ((answer: T) => void) | null = null;
  return {
    get size() {
      return waiting.length;
    },
    get isAwaited() {
      return hand !== null;
    },
    give(answer) {
      const take = hand;
      hand = null;
      if (take) take(answer);
      else waiting.push(answer);
    },
    next(signal) {
      for (const first of waiting.splice(0, 1)) return Promise.resolve(first);
      return new Promise((resolve, reject) => {
        const leave = () => {
          hand = null;
          reject(signal.reason);
        };
        if (signal.aborted) return leave();
        signal.addEventListener("abort", leave, { once: true });
        hand = (answer) => {
          signal.removeEventListener("abort", leave);
          resolve(answer);
        };
      });
    },
  };
}
