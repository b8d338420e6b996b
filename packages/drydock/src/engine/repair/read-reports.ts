import * as z from "zod";
import { parseJson } from "../../base/text/index.ts";
import type { Trial, TrialReport, TrialRequest } from "./workshop.ts";

const Line = z.union([
  z.object({ unable: z.string() }),
  z.object({ begun: z.number() }),
  z.object({
    candidate: z.number(),
    fixed: z.number(),
    failing: z.number(),
    late: z.boolean(),
  }),
  z.object({ candidate: z.number(), results: z.array(z.string()) }),
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
