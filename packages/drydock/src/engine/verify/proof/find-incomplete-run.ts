import type { CommandRun } from "../check-finding.ts";
import type { CheckRecord } from "./records/base-record.ts";

type Run = Pick<CheckRecord, "report" | "observed">;

/** A run of which only a part is known could hide what decides over it. */
export function findIncompleteRun(
  records: readonly Run[],
  ran: CommandRun | undefined,
): { code: "report_cut"; reason: string } | null {
  const what = records.map(describeCut).find((each) => each !== null);
  if (what) return { code: "report_cut", reason: `On the untouched tree, ${what}.` };
  const own = ran ? describeCut(ran) : null;
  return own === null ? null : { code: "report_cut", reason: `With the change, ${own}.` };
}

function describeCut({ report, observed }: Run): string | null {
  if (report?.truncated) return "the test runners of the check reported more than can be read";
  if (observed?.truncated) return "the check started more programs or opened more files than can be recorded";
  return null;
}
