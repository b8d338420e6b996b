import type { TestOutcome } from "@drydock/protocol";

const RANK: Record<TestOutcome, number> = { skipped: 0, expected: 1, passed: 2, failed: 3 };

/** A test that is run several times is as good as its worst run; one that is run and skipped was run. */
export function worseOutcome(one: TestOutcome | undefined, other: TestOutcome): TestOutcome {
  return one !== undefined && RANK[one] >= RANK[other] ? one : other;
}
