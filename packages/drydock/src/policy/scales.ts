export type PolicyValue = boolean | number | string | readonly string[];

/**
 * How the values of one key compare. Every step of the resolution is made of these three, so that a key cannot be
 * narrowed in one way and checked in another.
 */
export interface Scale<T extends PolicyValue = PolicyValue> {
  /** `value` permits nothing that `ceiling` does not permit. */
  within(value: T, ceiling: T): boolean;
  /** The most that both permit; `a` itself where it lies within `b`. */
  narrower(a: T, b: T): T;
  /** Permits what either permits. */
  wider(a: T, b: T): T;
}

/** A larger number permits more. */
export const numberScale: Scale<number> = {
  within: (value, ceiling) => value <= ceiling,
  narrower: (a, b) => Math.min(a, b),
  wider: (a, b) => Math.max(a, b),
};

/** `true` permits more. */
export const switchScale: Scale<boolean> = {
  within: (value, ceiling) => ceiling || !value,
  narrower: (a, b) => a && b,
  wider: (a, b) => a || b,
};

/** One of several words, from the one that permits least to the one that permits most. */
export function createWordScale(words: readonly string[]): Scale<string> {
  const rank = (word: string) => words.indexOf(word);
  return {
    within: (value, ceiling) => rank(value) <= rank(ceiling),
    narrower: (a, b) => (rank(a) <= rank(b) ? a : b),
    wider: (a, b) => (rank(a) >= rank(b) ? a : b),
  };
}

/** One name, or `none` of them, which permits least. No name permits more than another. */
export function createChoiceScale(none: string): Scale<string> {
  return {
    within: (value, ceiling) => value === ceiling || value === none,
    narrower: (a, b) => (a === b ? a : none),
    wider: (a, b) => (a === none ? b : a),
  };
}

/** An allow list: each entry has to be covered by some entry of the ceiling. */
export function createAllowScale(covers: (ceiling: string, entry: string) => boolean): Scale<readonly string[]> {
  const covered = (entry: string, list: readonly string[]) => list.some((ceiling) => covers(ceiling, entry));
  const add = (list: readonly string[], more: readonly string[]) => {
    const result = [...list];
    for (const entry of more) if (!covered(entry, result)) result.push(entry);
    return result;
  };
  return {
    within: (entries, ceiling) => entries.every((entry) => covered(entry, ceiling)),
    narrower: (a, b) =>
      add(
        a.filter((entry) => covered(entry, b)),
        b.filter((entry) => covered(entry, a)),
      ),
    wider: (a, b) => add(a, b),
  };
}

/** No name at all: what two lists have in common that have nothing in common, where an empty list would mean everything. */
const NOTHING: readonly string[] = ["-"];

/** As above, but an empty list stands for everything: it can be narrowed to any list, and no list is widened to it. */
export function createOpenAllowScale(covers: (ceiling: string, entry: string) => boolean): Scale<readonly string[]> {
  const lists = createAllowScale(covers);
  return {
    // An empty list in a request asks for nothing in particular, so it takes what the ceiling gives.
    within: (entries, ceiling) => ceiling.length === 0 || lists.within(entries, ceiling),
    narrower: (a, b) => {
      if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
      const common = lists.narrower(a, b);
      return common.length === 0 ? NOTHING : common;
    },
    wider: (a, b) => (a.length === 0 || b.length === 0 ? [] : lists.wider(a, b)),
  };
}

/** A list of what is required: it only ever grows, and no source can ask for too much of it. */
export const requireScale: Scale<readonly string[]> = {
  within: () => true,
  narrower: (a, b) => [...new Set([...b, ...a])],
  wider: (a, b) => a.filter((entry) => b.includes(entry)),
};

/** A list of what is denied: it only ever grows, so that narrowing is union. */
export const denyScale: Scale<readonly string[]> = {
  within: (entries, ceiling) => ceiling.every((entry) => entries.includes(entry)),
  narrower: (a, b) => [...new Set([...b, ...a])],
  wider: (a, b) => a.filter((entry) => b.includes(entry)),
};
