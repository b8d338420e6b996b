import * as z from "zod";
import { parseJson } from "../../base/text/index.ts";
import type { Candidate, Trial, TrialReport } from "./workshop.ts";

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
export function readReports(stdout: string, candidates: readonly Candidate[]): Reports {
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
    else trials.push({ id: line.candidate, fixed: line.fixed, failing: line.failing, isLate: line.late });
  }
  const lost = [...begun].filter((id) => open.has(id));
  return { trials, lost, unable: trials.length > 0 || results.size > 0 ? null : unable, results };
}

function parseLine(text: string): z.infer<typeof Line> | null {
  return text.startsWith("{") ? (Line.safeParse(parseJson(text)).data ?? null) : null;
}
