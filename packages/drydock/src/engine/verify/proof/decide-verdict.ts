import type { CheckResult, Verdict } from "@drydock/protocol";

export interface VerdictDecision {
  verdict: Verdict;
  reason: string;
  /** It rests on a person's word alone. */
  declared?: boolean;
  /** Of `unproven`: the reason without the advice, which is for people. */
  doubt?: string;
}

const ADD_A_CHECK =
  "Add a check that fails without the change (drydock run --check 'COMMAND'), or, for a change that keeps all behaviour, say that your checks suffice (--sufficient).";
const WRITE_READABLY =
  "Write what it expects as a comparison that can be read: an assert, a test, or `[ … = … ]` in the command; or say that the check suffices (--sufficient).";

/** What the checks of a change prove together. `isChanged` is false where the judged tree is the one it started from. */
export function decideVerdict(checks: readonly CheckResult[], isChanged: boolean): VerdictDecision {
  const failing = checks.find(({ verdict }) => verdict !== "passed");
  if (failing) return { verdict: "failed", reason: failing.reason };
  if (!isChanged) return { verdict: "unproven", reason: "Nothing was changed, so nothing is proved." };
  const doubtful = checks.find((check) => isDoubtful(check));
  if (doubtful?.control) return { verdict: "unproven", reason: `${nameOf(doubtful)}: ${doubtful.control.reason}` };
  const proving = listProving(checks);
  if (proving.length > 0) {
    return { verdict: "passed", reason: describeProof(proving) };
  }
  const trusted = checks.find(({ check }) => check.sufficient === true);
  if (trusted) {
    const reason = `"${nameOf(trusted)}" passes with and without the change, and a person declared it sufficient.`;
    return { verdict: "passed", reason, declared: true };
  }
  const vacuous = checks.find(({ doubt }) => doubt !== undefined);
  const why = vacuous?.doubt ?? "Every check passes without the change as well, so none of them proves it.";
  return { verdict: "unproven", reason: `${why} ${vacuous ? adviseOn(vacuous) : ADD_A_CHECK}`, doubt: why };
}

/** A check that fails without the change and still is in doubt, because nothing that it expects was found, needs no other beside it. */
function adviseOn({ alsoPassesBefore, control }: CheckResult): string {
  return alsoPassesBefore === false && control?.kind === "none" ? WRITE_READABLY : ADD_A_CHECK;
}

function describeProof(proving: readonly CheckResult[]): string {
  const failedBefore = proving.filter(({ alsoPassesBefore }) => alsoPassesBefore !== true).length;
  if (failedBefore === 0) return "The tests that the change adds fail without it and pass with it.";
  const [count, verb] = failedBefore === 1 ? ["1 check", "passes"] : [`${failedBefore} checks`, "pass"];
  return `${count} failed before the change and ${verb} now.`;
}

/** Where people require something, a check of the plan proves nothing without a control: it may be an exam that a model wrote for itself. */
function listProving(checks: readonly CheckResult[]): CheckResult[] {
  const isPersons = ({ source = "plan" }: CheckResult) => source !== "plan";
  const proving = checks.filter(({ proves }) => proves);
  if (!checks.some(isPersons)) return proving;
  return proving.filter((check) => isPersons(check) || check.control?.failed === true);
}

/** It passes although what it expects was made wrong. */
export function isDoubtful({ control }: CheckResult): boolean {
  return control !== undefined && (control.failed === false || control.survivors.length > 0);
}

function nameOf({ name, type, check }: CheckResult): string {
  return name ?? (typeof check.cmd === "string" ? check.cmd : type);
}
