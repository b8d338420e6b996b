import type { Edit } from "./edit.ts";

/**
 * A sample of `limit` edits, file by file, in their order. Each file gets its share, and within a file each line one
 * before any line gets a second: a long expression must not stand for a whole program.
 */
export function sampleMutants(files: readonly (readonly Edit[])[], seed: number, limit: number): Edit[][] {
  const found = files.reduce((sum, edits) => sum + edits.length, 0);
  if (found <= limit) return files.map((edits) => [...edits]);
  const random = createRandom(seed);
  const queues = files.map((edits) => spreadOverLines(edits, random));
  const taken = files.map((): Edit[] => []);
  for (let count = 0; count < limit; count++) {
    const next = indexOfSmallest(taken.map((edits, index) => (edits.length + 0.5) / (queues[index]?.length ?? 0)));
    const edit = queues[next]?.[taken[next]?.length ?? 0];
    if (edit) taken[next]?.push(edit);
  }
  return taken.map((edits, index) => edits.sort((a, b) => order(files[index], a) - order(files[index], b)));
}

function order(edits: readonly Edit[] | undefined, edit: Edit): number {
  return edits?.indexOf(edit) ?? 0;
}

/** One edit of each line, then a second of each that has one, and so on; lines and edits in a random order. */
function spreadOverLines(edits: readonly Edit[], random: () => number): Edit[] {
  const lines = Map.groupBy(edits, ({ line }) => line);
  const shuffled = shuffle([...lines.values()], random).map((line) => shuffle(line, random));
  const spread: Edit[] = [];
  for (let round = 0; spread.length < edits.length; round++) {
    for (const line of shuffled) {
      const edit = line[round];
      if (edit) spread.push(edit);
    }
  }
  return spread;
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** A linear congruential generator (the constants of Numerical Recipes): good enough to draw a sample, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  // Neighbouring seeds start alike.
  for (let round = 0; round < 8; round++) next();
  return next;
}

function indexOfSmallest(values: readonly number[]): number {
  return values.reduce((best, value, index) => (value < (values[best] ?? Number.POSITIVE_INFINITY) ? index : best), 0);
}
