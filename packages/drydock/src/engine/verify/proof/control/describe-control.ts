import type { ControlEvidence } from "@drydock/protocol";

const SPOILT_WORDS: Record<ControlEvidence["kind"], [one: string, many: string]> = {
  expectations: ["expectation of the tests made wrong", "expectations of the tests made wrong"],
  data: ["file that the tests compare with made wrong", "files that the tests compare with made wrong"],
  exports: ["function of the source made to return garbage", "functions of the source made to return garbage"],
  none: ["place", "places"],
};

export function describeControl(
  kind: ControlEvidence["kind"],
  count: number,
  failed: boolean,
  survivors: readonly string[],
): string {
  const [one, many] = SPOILT_WORDS[kind];
  const how = `With ${count === 1 ? `one ${one}` : `${count} ${many}`}`;
  if (!failed) return `${how}, the check still passes: it does not depend on what it should.`;
  if (survivors.length === 0) return `${how}, the check failed, as it should.`;
  if (survivors.length === 1) return `${how}, ${survivors[0]} still passes.`;
  return `${how}, ${survivors[0]} and ${survivors.length - 1} more still pass.`;
}

/** What survives is what survived all of them. */
export function mergeControls(before: ControlEvidence | null, after: ControlEvidence): ControlEvidence {
  if (!before) return after;
  if (after.kind === "none") return before;
  const survivors = before.survivors.filter((id) => after.survivors.includes(id));
  const reason = survivors.length === 0 && after.failed ? after.reason : before.reason;
  return { ...before, edits: before.edits + after.edits, failed: before.failed || after.failed, survivors, reason };
}
