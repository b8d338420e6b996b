import type { RepairDifference } from "../repair-types.ts";
import type { FunctionCall, TriedCandidate } from "../workshop.ts";

/** What each candidate gave for the same calls, by its id. The list of one that ended while it was called is shorter. */
export type CallResults = ReadonlyMap<number, readonly string[] | null>;

/** An input on which the best candidate and another one differ: the shortest. */
export function findDifference(
  passing: readonly TriedCandidate[],
  calls: readonly FunctionCall[],
  results: CallResults,
): RepairDifference | null {
  const lists = passing.map(({ candidate }) => results.get(candidate.id) ?? null);
  const resultsOf = (at: number) =>
    lists.flatMap((list, candidate) => (list?.[at] === undefined ? [] : [{ candidate, result: readResult(list[at]) }]));
  const differ = (at: number) => {
    const [best, ...others] = resultsOf(at);
    return best?.candidate === 0 && others.some(({ result }) => result !== best.result);
  };
  const found = calls
    .map((call, at) => ({ call, at }))
    .filter(({ at }) => differ(at))
    .sort((a, b) => a.call.args.length - b.call.args.length)[0];
  if (!found) return null;
  const { call, at } = found;
  return { input: `${call.name}(${call.args.slice(1, -1)})`, results: resultsOf(at) };
}

function readResult(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}
