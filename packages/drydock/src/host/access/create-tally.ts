/** So many of the same kind are on record one by one. */
export const ONE_BY_ONE = 100;

/**
 * Counts what a runner can repeat without end. Gives the count where this one is to be on record: each of the first, then one
 * at each doubling.
 */
export function createTally(): () => number | null {
  let count = 0;
  let next = 2 * ONE_BY_ONE;
  return () => {
    count++;
    if (count <= ONE_BY_ONE) return count;
    if (count < next) return null;
    next *= 2;
    return count;
  };
}
