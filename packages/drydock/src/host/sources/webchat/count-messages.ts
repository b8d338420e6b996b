/** Whether one more message may come: from this visitor, and from all of them together. */
export interface MessageCount {
  take(visitor: string): boolean;
}

const MINUTE_MS = 60_000;
const VISITORS_PER_LIMIT = 30;

export function createMessageCount(perMinute: number, now: () => number): MessageCount {
  let startedMs = now();
  let total = 0;
  let counts = new Map<string, number>();
  return {
    take(visitor) {
      if (now() - startedMs >= MINUTE_MS || now() < startedMs) {
        startedMs = now();
        total = 0;
        counts = new Map();
      }
      const count = counts.get(visitor) ?? 0;
      if (count >= perMinute || total >= perMinute * VISITORS_PER_LIMIT) return false;
      counts.set(visitor, count + 1);
      total += 1;
      return true;
    },
  };
}
