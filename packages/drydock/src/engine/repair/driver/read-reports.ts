import * as z from "zod";
import { parseJson } from "../../../base/text/index.ts";
import type { Trial, TrialReport, TrialRequest } from "../workshop.ts";

/** What runs beside the program may write in its place: no more is taken than the program ever says. */
const MAX_REASON = 500;
const MAX_RESULT = 1000;
const Line = z.union([
  z.object({ unable: z.string().transform((text) => text.slice(0, MAX_REASON)) }),
  z.object({ begun: z.int() }),
  z.object({
    candidate: z.int(),
    fixed: z.int().nonnegative(),
    failing: z.int().nonnegative(),
    late: z.boolean(),
  }),
  z.object({ candidate: z.int(), results: z.array(z.string().transform((text) => text.slice(0, MAX_RESULT))) }),
]);

export interface Reports extends TrialReport {
  results: Map<number, string[] | null>;
}

/**
 * Reads the reports about candidates from the program in the sandbox. Other lines are ignored. A candidate that was
 * begun and never reported on took its sandbox with it.
 */
export function readReports(
  stdout: string,
  { candidates, watch }: Pick<TrialRequest, "candidates" | "watch">,
): Reports {
  const open = new Set(candidates.map(({ id }) => id));
  const begun = new Set<number>();
  const trials: Trial[] = [];
  const results = new Map<number, string[] | null>();
  let unable: string | null = null;
  for (const text of stdout.split("\n")) {
    const line = parseLine(text);
    if (!line) continue;
    if ("unable" in line) unable = line.unable;
    else if ("begun" in line) begun.add(line.begun);
    else if (!open.delete(line.candidate)) continue;
    else if ("results" in line) results.set(line.candidate, line.results);
    else trials.push(toTrial(line));
  }
  // Where nobody wanted more, the last one was not lost.
  const lost = watch?.stop?.aborted ? [] : [...begun].filter((id) => open.has(id));
  return { trials, lost, unable: trials.length > 0 || results.size > 0 ? null : unable, results };
}

/** What a line says of a candidate; null where it says something else. */
export function readTrial(text: string): Trial | null {
  const line = parseLine(text);
  return line && "fixed" in line ? toTrial(line) : null;
}

function toTrial({ candidate, fixed, failing, late }: Extract<z.infer<typeof Line>, { fixed: number }>): Trial {
  return { id: candidate, fixed, failing, isLate: late };
}

function parseLine(text: string): z.infer<typeof Line> | null {
  return text.startsWith("{") ? (Line.safeParse(parseJson(text)).data ?? null) : null;
}
