import { HttpProblem } from "./http-problem.ts";

interface Bucket {
  left: number;
  atMs: number;
}

const MAX_ADDRESSES = 10_000;

/** So many requests at once from one address, and so many per second after that. */
export function createRateLimit({ perSecond, burst }: { perSecond: number; burst: number }) {
  const buckets = new Map<string, Bucket>();
  return (address: string, nowMs = performance.now()): void => {
    const bucket = buckets.get(address) ?? { left: burst, atMs: nowMs };
    bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = nowMs;
    if (!buckets.has(address)) {
      if (buckets.size >= MAX_ADDRESSES) buckets.clear();
      buckets.set(address, bucket);
    }
    if (bucket.left >= 1) {
      bucket.left--;
      return;
    }
    const seconds = Math.max(1, Math.ceil((1 - bucket.left) / perSecond));
    throw new HttpProblem(
      429,
      {
        code: "limit.concurrency",
        message: `More than ${perSecond} requests per second came from ${address}.`,
        hint: `Wait ${seconds} s, and send fewer.`,
        data: { retryAfterSeconds: seconds },
      },
      { "retry-after": String(seconds) },
    );
  };
}
