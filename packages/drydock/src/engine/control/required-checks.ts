import type { Check, CheckResult, CheckSource, RequiredCheck } from "@drydock/protocol";
import { canonicalJson } from "../../ledger/index.ts";

/** A plan's checks together with those that people require, in the order in which they are judged. */
export interface JoinedChecks {
  checks: Check[];
  /** Says of each result whose check it is. Results come in the order of `checks`; implied rules follow them. */
  nameSources(results: readonly CheckResult[]): CheckResult[];
}

/** What a plan repeats of people's checks is made once, and is theirs: a plan may add, never replace. */
export function joinRequired(planned: readonly Check[], required: readonly RequiredCheck[]): JoinedChecks {
  const left = new Set(required);
  const joined: { check: Check; source?: CheckSource }[] = planned.map((check) => {
    // A person's plan may call a check sufficient: that word is not lost.
    const same = check.sufficient ? undefined : [...left].find((each) => describe(each.check) === describe(check));
    if (same) left.delete(same);
    return same ?? { check };
  });
  joined.push(...left);
  return {
    checks: joined.map(({ check }) => check),
    nameSources: (results) =>
      results.map((result, index) => {
        const source = joined[index]?.source;
        return source === undefined || result.implied ? result : { ...result, source };
      }),
  };
}

/** The content of a check without its name, in whatever order it is written: the record sorts its keys. */
function describe({ name: _name, sufficient: _sufficient, ...content }: Check): string {
  return canonicalJson(content);
}

/** Who requires what, for a sentence: `the owner's check pytest -q`. */
export function labelRequired(source: CheckSource, check: Record<string, unknown>): string {
  const { name, cmd, path, url, type } = check;
  const what = [name, cmd, path, url, type].find((value) => typeof value === "string");
  return `the ${source}'s check ${what}`;
}
