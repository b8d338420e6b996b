import * as z from "zod";
import { parseJson } from "../../../base/text/index.ts";
import type { RepairSurvey } from "../workshop.ts";

/** Within what can be: the tests run in the process that says it. */
const Count = z.int().nonnegative();
const Seconds = z.number().nonnegative().max(86_400);
const MAX_REASON = 500;
const Place = z.tuple([Count, Count]);
const SurveyReport = z.object({
  survey: z.object({
    tests: z.array(z.tuple([z.string(), z.boolean(), Seconds.nullable()])),
    errors: Count,
    untried: Count.default(0),
    imported: z.array(Place),
    modules: z.array(z.string()),
    calls: z.array(z.tuple([Count, z.string(), z.string()])),
    places: z.array(Place),
    lines: z.array(z.tuple([Count, Count, Count, Count])),
  }),
});
/** Reads what the program in the sandbox says of the untouched tree. */
export function readSurvey(stdout: string): RepairSurvey | { unable: string } {
  for (const line of stdout.split("\n")) {
    const report = SurveyReport.safeParse(parseJson(line));
    if (!report.success) continue;
    const { tests, lines, imported, places, calls, errors, modules, untried } = report.data.survey;
    const toPlace = ([file, at]: [number, number]) => ({ file, line: at });
    return {
      tests: tests.map(([name, isPassing, seconds]) => ({ name, isPassing, seconds })),
      lines: lines.map(([file, at, failed, passed]) => ({ file, line: at, failed, passed })),
      errors,
      modules,
      untried,
      imported: imported.map(toPlace),
      places: places.map(toPlace),
      calls: calls.map(([file, name, args]) => ({ file, name, args })),
    };
  }
  const unable = z.object({ unable: z.string() }).safeParse(parseJson(stdout.trim().split("\n").at(-1) ?? ""));
  return { unable: unable.success ? unable.data.unable.slice(0, MAX_REASON) : "the tests gave no answer" };
}
