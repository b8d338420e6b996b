import { DrydockError } from "@drydock/protocol";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

/** How many entries a page of a list has at most. One that no page can have is refused: fewer or more would be a surprise. */
export function readLimit(limit = DEFAULT_LIMIT, max = MAX_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  const bounds = max === MAX_LIMIT ? `from 1 to ${MAX_LIMIT}` : "of 1 or more";
  const hint = `Give a whole number ${bounds}. The next page continues after the last entry.`;
  throw new DrydockError("input.invalid", `The limit of a list can't be ${limit}.`, hint, { limit });
}
