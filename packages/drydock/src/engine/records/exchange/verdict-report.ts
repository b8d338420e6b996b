import { type CheckResult, type Run, type RunEvent, type StrengthEvidence, Verification } from "@drydock/protocol";
import { cutText } from "../../../base/text/index.ts";
import { canonicalJson } from "../../../ledger/index.ts";
import { subjectOf } from "../check-subject.ts";
import type { ContentReaders } from "../content-readers.ts";
import { foldEvents } from "../fold-events.ts";
import type { DeliveryView, GoalView } from "../goal-view.ts";
import { lastChecks } from "../last-checks.ts";

export interface ReportedCheck {
  /** The task of a plan that it belongs to; null for checks of a directory or of the whole result. */
  task: string | null;
  /** What people call it. No two checks of a report have the same in the same task. */
  title: string;
  result: CheckResult;
}

/** What was proved by a run: all that another program's format needs. */
export interface VerdictReport {
  run: Run;
  verdict: Run["verdict"];
  /** Why, in one sentence. */
  reason: string;
  checks: ReportedCheck[];
  /** By all checks of a directory together, where it was measured. That of a goal is a check of its own. */
  strength: StrengthEvidence | null;
  /** What became of the changes, in order. */
  deliveries: DeliveryView[];
  /** The run that it follows; null: none. */
  follows: string | null;
  /** Where the checks were written down, as a path on the host. */
  checksFile: string | null;
  /** The verdict is not `passed`, and no check says so: something else has to. */
  isOpen: boolean;
}

/**
 * Of a goal, the last checks of each task, and those of the whole result. What earlier attempts failed at is no part of
 * the verdict.
 */
export async function readVerdictReport(
  run: Run,
  events: readonly RunEvent[],
  readers: ContentReaders,
  redact: (text: string) => string = (text) => text,
): Promise<VerdictReport> {
  const view = foldEvents(events);
  const ofTasks = [...view.tasks.values()].flatMap((task) =>
    lastChecks(task).map((result) => ({ task: task.id, result })),
  );
  // The whole result is judged by the checks of its tasks: equal results are not repeated.
  const known = new Set([...ofTasks.map(({ result }) => result), ...view.checks].map(nameFinding));
  const onTree = await readTreeChecks(view, readers, redact);
  const whole = [...view.checks, ...onTree.filter((result) => !known.has(nameFinding(result)))];
  const checks = giveTitles([...ofTasks, ...whole.map((result) => ({ task: null, result }))]);
  const verdict = run.verdict;
  const isExplained = verdict === "failed" && checks.some(({ result }) => result.verdict !== "passed");
  const isOpen = verdict !== "passed" && !isExplained;
  const strength = view.end?.strength ?? null;
  const { checksFile, deliveries, follows } = view;
  const reason = describeReason(run, view);
  return { run, verdict, reason, checks, strength, deliveries, follows, checksFile, isOpen };
}

function nameFinding({ type, name, check, verdict, code }: CheckResult): string {
  return canonicalJson([type, name ?? null, check, verdict, code]);
}

async function readTreeChecks(
  { treeVerification }: GoalView,
  readers: ContentReaders,
  redact: (text: string) => string,
): Promise<CheckResult[]> {
  if (treeVerification === null) return [];
  try {
    const text = redact(Buffer.from(await readers.blob(treeVerification)).toString());
    return Verification.parse(JSON.parse(text)).checks;
  } catch {
    // The content may be gone. What the tasks' checks found is on record all the same.
    return [];
  }
}

function describeReason(run: Run, view: GoalView): string {
  const reason = view.end?.error?.message || view.end?.reason || view.treeReason;
  if (reason) return reason;
  switch (run.verdict) {
    case "passed":
      return "Every check passed.";
    case "failed":
      return "Not every check passed.";
    case "unproven":
      return "The checks passed, and prove nothing about the change.";
    case "unverified":
      return run.endedAt === null ? "The run has not ended." : "No check judged the result.";
    default:
      return run.verdict satisfies never;
  }
}

const MAX_TITLE = 200;

function giveTitles(checks: readonly Omit<ReportedCheck, "title">[]): ReportedCheck[] {
  const used = new Map<string, number>();
  return checks.map(({ task, result }) => {
    const title = describeCheck(result);
    const key = JSON.stringify([task, title]);
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return { task, result, title: count === 1 ? title : `${title} (${count})` };
  });
}

function describeCheck({ type, name, check }: CheckResult): string {
  const subject = subjectOf(check);
  const title = (name ?? (subject === "" ? type : `${type}: ${subject}`)).replace(/\s+/g, " ").trim();
  return cutText(title, MAX_TITLE) || type;
}
