import { useMemo } from "react";
import { useWords } from "./words.ts";

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

const SIZES: readonly [string, number][] = [
  ["gigabyte", 1024 ** 3],
  ["megabyte", 1024 ** 2],
  ["kilobyte", 1024],
];

export interface Quantities {
  /** A duration, as short as it can be read: `420 ms`, `3.4 s`, `2 min 5 s`. */
  duration(ms: number): string;
  bytes(count: number): string;
  number(value: number): string;
  money(usd: number): string;
  /** Date and time in the time zone of the browser. */
  time(iso: string): string;
  /** The time of day, to a thousandth of a second. */
  clock(iso: string): string;
  /** The beginning of a period: a time of day, or with its day. */
  moment(iso: string, detail: "clock" | "day"): string;
  /** How long ago, such as `3 minutes ago`. */
  ago(iso: string, now: number): string;
}

/** Numbers and times as the chosen language writes them. */
export function useQuantities(): Quantities {
  const { tag } = useWords();
  return useMemo(() => createQuantities(tag), [tag]);
}

export function createQuantities(tag: string): Quantities {
  const unit = (name: string, digits: number) => {
    const unitDisplay = name === "byte" ? "long" : "short";
    return new Intl.NumberFormat(tag, { style: "unit", unit: name, unitDisplay, maximumFractionDigits: digits });
  };
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: "auto", style: "short" });
  const dateTime = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "medium" });
  const clock = new Intl.DateTimeFormat(tag, {
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", fractionalSecondDigits: 3 },
  });
  const minute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const moments = {
    clock: new Intl.DateTimeFormat(tag, minute),
    day: new Intl.DateTimeFormat(tag, { ...minute, month: "short", day: "numeric" }),
  };
  return {
    duration(ms) {
      if (ms < 1000) return unit("millisecond", 0).format(ms);
      if (ms < 60_000) return unit("second", ms < 10_000 ? 1 : 0).format(ms / 1000);
      const [large, small, part] = ms < 3_600_000 ? ["minute", "second", 60_000] : ["hour", "minute", 3_600_000];
      const rest = Math.floor((ms % Number(part)) / (Number(part) / 60));
      const whole = unit(String(large), 0).format(Math.floor(ms / Number(part)));
      return rest === 0 ? whole : `${whole} ${unit(String(small), 0).format(rest)}`;
    },
    bytes(count) {
      const [name, size] = SIZES.find(([, each]) => count >= each) ?? ["byte", 1];
      return unit(name, 1).format(count / size);
    },
    number: (value) => value.toLocaleString(tag),
    money: (usd) =>
      usd.toLocaleString(tag, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        maximumFractionDigits: usd < 0.1 ? 4 : 2,
      }),
    time: (iso) => dateTime.format(new Date(iso)),
    clock: (iso) => clock.format(new Date(iso)),
    moment: (iso, detail) => moments[detail].format(new Date(iso)),
    ago(iso, now) {
      // The server's clock may be ahead, and `now` is only as new as the last tick.
      const ms = Math.min(0, Date.parse(iso) - now);
      const [name, size] = STEPS.find(([, each]) => Math.abs(ms) >= each) ?? ["second", 1000];
      return relative.format(Math.trunc(ms / size), name);
    },
  };
}
