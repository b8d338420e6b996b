/** How far back the charts go, and how that is divided. */
export const RANGES = {
  hour: { periods: 60, periodMs: 60_000, everyMs: 10_000 },
  day: { periods: 48, periodMs: 1_800_000, everyMs: 30_000 },
  week: { periods: 56, periodMs: 10_800_000, everyMs: 120_000 },
  month: { periods: 60, periodMs: 43_200_000, everyMs: 300_000 },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as Range[];

/** Periods begin at round times of the browser's clock, so that a chart moves by whole periods. */
export function spanOf(range: Range, now: Date): { since: string; until: string; periods: number } {
  const { periods, periodMs } = RANGES[range];
  const zoneMs = now.getTimezoneOffset() * 60_000;
  const until = Math.ceil((now.getTime() - zoneMs) / periodMs) * periodMs + zoneMs;
  return {
    since: new Date(until - periods * periodMs).toISOString(),
    until: new Date(until).toISOString(),
    periods,
  };
}
