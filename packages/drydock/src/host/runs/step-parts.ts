import type { ResultStep } from "../results/result-step.ts";

/** Carries out one part of a step, or gives what it gave before. */
export type OnePart = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A step that failed half way is tried once more by carrying out the same step: the parts of it that were done are not done
 * again. Parts are known by their order, so that a step has to have the same ones each time.
 */
export function createStepParts(): (step: ResultStep) => OnePart {
  const results = new WeakMap<ResultStep, unknown[]>();
  return (step) => {
    const done = results.get(step) ?? [];
    results.set(step, done);
    let at = 0;
    return async <T>(work: () => Promise<T>) => {
      const index = at++;
      if (index === done.length) done.push(await work());
      return done[index] as T;
    };
  };
}
