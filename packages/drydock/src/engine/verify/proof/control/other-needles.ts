import { createHash } from "node:crypto";
import type { Check, ControlEvidence } from "@drydock/protocol";
import type { CheckFinding } from "../../check-finding.ts";
import type { ChangeOptions } from "../judge-change.ts";

const COUNT = 8;
/** A shorter text may stand anywhere. */
const LEAST_LENGTH = 3;

/** Texts like this one, with other numbers in it. None where it has no number, or is too short to say anything. */
export function listOtherNeedles(needle: string, salt: string): string[] {
  if (needle.length < LEAST_LENGTH || !/\d/.test(needle)) return [];
  const found = new Set<string>();
  for (let round = 0; found.size < COUNT && round < COUNT * 8; round++) {
    const drawn = createHash("sha256").update(`${salt}${round}`).digest();
    let at = 0;
    const other = needle.replace(/\d/g, (digit) =>
      String((Number(digit) + ((drawn[at++ % drawn.length] ?? 0) % 10)) % 10),
    );
    if (other !== needle) found.add(other);
  }
  return [...found];
}

/** A check that finds its text in any case: it holds every answer at once. Null where its text says no number. */
export async function controlNeedle<Wanted extends Check>(
  needle: string,
  withNeedle: (needle: string) => Wanted,
  judge: (check: Wanted) => Promise<CheckFinding>,
  salt: string,
): Promise<ControlEvidence | null> {
  const others = listOtherNeedles(needle, salt);
  for (const [index, other] of others.entries()) {
    const { verdict, code } = await judge(withNeedle(other));
    if (code === "not_found") {
      const reason = "With another number in the text that it looks for, the check failed, as it should.";
      return { kind: "expectations", edits: index + 1, failed: true, survivors: [], reason };
    }
    if (verdict !== "passed") return null;
  }
  if (others.length === 0) return null;
  const reason = `With ${others.length} other numbers in the text that it looks for, the check passed each time: the answer holds all of them.`;
  return { kind: "expectations", edits: others.length, failed: false, survivors: [], reason };
}

/** A command whose output holds whatever it should: null where it does not. */
export async function findEveryAnswer({
  check,
  context,
  judge,
  salt,
}: Pick<ChangeOptions, "check" | "context" | "judge" | "salt">): Promise<string | null> {
  if (check.type !== "command_contains") return null;
  const judgeOther = (other: typeof check) => judge(other, { ...context, watch: undefined });
  const control = await controlNeedle(check.needle, (needle) => ({ ...check, needle }), judgeOther, salt);
  return control?.failed === false ? control.reason : null;
}
