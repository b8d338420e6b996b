import { DrydockError } from "@drydock/protocol";
import { Cron } from "croner";

/** The times of a cron expression in a time zone. */
export interface Times {
  /** The first after this one; null where there is none any more. */
  next(afterMs: number): number | null;
  /** Those after the first and up to the second, at most so many, and whether there are more. */
  between(afterMs: number, untilMs: number, most: number): { times: number[]; isMore: boolean };
}

export function findTimes({ cron, timezone }: { cron: string; timezone: string }): Times {
  const pattern = open(cron, timezone);
  const next = (afterMs: number) => pattern.nextRun(new Date(afterMs))?.getTime() ?? null;
  return {
    next,
    between(afterMs, untilMs, most) {
      const times: number[] = [];
      for (let at = next(afterMs); at !== null && at <= untilMs; at = next(at)) {
        if (times.length === most) return { times, isMore: true };
        times.push(at);
      }
      return { times, isMore: false };
    },
  };
}

function open(cron: string, timezone: string): Cron {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    const hint = "Use a name such as Europe/Berlin, Asia/Tokyo or UTC.";
    throw new DrydockError("input.invalid", `There is no time zone ${timezone}.`, hint, { field: "timezone" });
  }
  try {
    const pattern = new Cron(cron, { timezone, paused: true });
    if (pattern.nextRun() !== null) return pattern;
  } catch (error) {
    const hint =
      "Minute, hour, day of the month, month, day of the week: `0 9 * * 1-5` is nine o'clock from Monday to Friday.";
    const message = `The cron expression can't be read: ${error instanceof Error ? error.message : error}`;
    throw new DrydockError("input.invalid", message, hint, { field: "cron" });
  }
  const hint = "Such as `0 0 30 2 *`: no February has thirty days.";
  throw new DrydockError("input.invalid", "The cron expression never fires.", hint, { field: "cron" });
}
