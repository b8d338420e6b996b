export const LIMIT_KEYS = [
  "wallSeconds",
  "cpuSeconds",
  "memoryMb",
  "processes",
  "outputMb",
  "diskMb",
  "openFiles",
  "concurrency",
] as const;
export type LimitKey = (typeof LIMIT_KEYS)[number];
