import { type CheckResult, countWord, describeSearch, type Verdict } from "@drydock/protocol";
import { type GoalResult, readAutorun } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderError } from "../../terminal/render/render-error.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";
import { renderMoney } from "../render/render-money.ts";
import { renderCheck, renderProof } from "../render/render-verification.ts";
import type { GoalFlags } from "./goal-flags.ts";
import { describeModels, type GoalState } from "./goal-state.ts";
import { labelCheck } from "./label-check.ts";
import { renderChanges } from "./render-changes.ts";
import { renderRepair } from "./render-repair.ts";

const MAX_FAILED = 5;

/** How a run ended: the verdict, what it rests on, what became of the changes, what it took, and what to do next. */
export function renderSummary(
  result: GoalResult,
  state: GoalState,
  diff: string,
  terminal: Pick<Terminal, "outColors" | "columns"> & { flags?: Pick<GoalFlags, "all" | "check" | "workspace"> },
): string {
  const { outColors: colors } = terminal;
  if (neverBegan(result, state)) return renderUnbegun(result, colors);
  return [
    `\n${paintVerdict(result, colors)} ${colors.bold(cleanLine(state.goal))}\n`,
    ...(result.verdict === "passed" ? [describeProof(state, result, colors)] : describeFailure(result, state, colors)),
    ...(diff === "" ? [] : ["changed:\n", renderChanges(diff, terminal)]),
    ...result.repairs.map((report) =>
      renderRepair(report, result, { colors, all: terminal.flags?.all === true, given: terminal.flags }),
    ),
    describeDelivery(result, state, diff === "", colors),
    ...(result.error ? [renderError(result.error, colors)] : []),
    describeNext(result, state, diff === ""),
    `report:    drydock runs report ${result.runId}\n`,
    describeWorker(result, state),
  ].join("");
}

/** No model could be used, so there is nothing to judge: a verdict would only hide what to do. */
function neverBegan({ error }: GoalResult, state: GoalState): boolean {
  return error?.code === "model.unavailable" && lastChecks(state).length === 0;
}

function renderUnbegun({ runId, error }: GoalResult, colors: Colors): string {
  return `\n${error ? renderError(error, colors) : ""}record:    drydock runs show ${runId}\n`;
}

function paintVerdict({ verdict, status }: GoalResult, colors: Colors): string {
  if (status === "paused" || status === "interrupted")
    return colors.inverse(colors.yellow(` ${status.toUpperCase()} `));
  const paints: Record<Verdict, (text: string) => string> = {
    passed: colors.green,
    failed: colors.red,
    unproven: colors.yellow,
    unverified: colors.yellow,
  };
  // A run that somebody stopped was not judged: that is no verdict on its work.
  const text = (status === "cancelled" && verdict === "unverified" ? status : verdict).toUpperCase();
  return colors.isColorSupported ? colors.inverse(paints[verdict](` ${text} `)) : text;
}

/** What was found last of each task: an attempt that changed nothing more is not judged again. */
function lastChecks({ view }: GoalState): CheckResult[] {
  const ofTasks = [...view.tasks.values()].flatMap(({ attempts, judged }) => {
    const made = attempts.filter(({ checks }) => checks.length > 0);
    return (made.findLast(({ number }) => number === judged) ?? made.at(-1))?.checks ?? [];
  });
  return [...ofTasks, ...view.checks];
}

function describeProof(state: GoalState, { treeHash }: GoalResult, colors: Colors): string {
  const checks = lastChecks(state);
  const before = checks.filter(({ alsoPassesBefore }) => alsoPassesBefore).length;
  const all = `${countWord(checks.length, "check passes", "checks pass")} on the result`;
  const weak = before === 0 ? "" : colors.yellow(`; ${before} of them also without the change`);
  const evidence = checks
    .filter(hasEvidence)
    .map((check) => `  ${labelCheck(check.check)}\n${renderProof(check, colors)}`);
  return `${all} ${colors.dim(`(tree ${(treeHash ?? "").slice(0, 12)})`)}${weak}\n${describeWord(checks, colors)}${evidence.join("")}`;
}

/** If a person declared a check sufficient, the summary says so. */
function describeWord(checks: readonly CheckResult[], colors: Colors): string {
  const trusted = checks.find(({ check }) => check.sufficient === true);
  if (!trusted || checks.some(({ proves }) => proves)) return "";
  const label = labelCheck(trusted.check);
  return colors.yellow(
    `passed because a person declared it sufficient: ${label}. No check shows what the change does.\n`,
  );
}

/** Whether more is known than that it passed. */
function hasEvidence({ tests, control, strength }: CheckResult): boolean {
  return tests !== undefined || strength !== undefined || (control !== undefined && control.kind !== "none");
}

/** The error, where there is one, is shown by itself. */
function describeFailure({ reason, error }: GoalResult, state: GoalState, colors: Colors): string[] {
  const lines = reason !== "" && error?.message !== reason ? [`${cleanLine(reason)}\n`] : [];
  const failed = lastChecks(state).filter(({ verdict }) => verdict !== "passed");
  for (const check of failed.slice(0, MAX_FAILED)) lines.push(renderCheck(check, colors));
  if (failed.length > MAX_FAILED) lines.push(`and ${countWord(failed.length - MAX_FAILED, "more check")}\n`);
  return lines;
}

function describeDelivery(
  { verdict, delivery, runId, notes, status, error }: GoalResult,
  { workspace, view }: GoalState,
  isEmpty: boolean,
  colors: Colors,
): string {
  const more = notes.map((note) => `           ${cleanLine(note)}\n`).join("");
  if (status === "paused" || status === "interrupted") return "";
  if (verdict !== "passed") {
    return `${colors.dim(`${workspace} is unchanged: only a change with a passed verdict is delivered.`)}\n${more}`;
  }
  if (isEmpty) return colors.yellow(`Nothing had to be changed: ${workspace} already passes the checks.\n`);
  // A run that is taken up again may have been delivered long ago.
  const last = view.deliveries.at(-1);
  if (delivery === "applied" || last?.type === "layer.applied") {
    const where = last?.branch ? `on the branch ${cleanLine(last.branch)} of ${workspace}` : `to ${workspace}`;
    return `delivered: ${where}\n${more}undo:      drydock runs revert ${runId}\n`;
  }
  if (last?.type === "layer.discarded") return `discarded: ${workspace} is unchanged\n`;
  // That error names another command.
  const next = readAutorun(error).length > 0 ? "" : `deliver:   drydock runs apply ${runId}\n`;
  return `kept:      ${workspace} is unchanged\n${more}${next}`;
}

function describeNext(
  { runId, verdict, status, error, tasks, repairs }: GoalResult,
  state: GoalState,
  isEmpty: boolean,
): string {
  if (status === "paused" || status === "interrupted") return `resume:    drydock run --resume ${runId}\n`;
  if (verdict === "passed" || status === "cancelled" || error) return "";
  if (verdict === "unproven" && !isEmpty) {
    return `next:      drydock runs diff ${runId} shows the change; to deliver it anyway: drydock runs apply ${runId} --allow-unproven\n`;
  }
  const failed = Object.keys(tasks).filter((id) => tasks[id] === "failed");
  if (lastChecks(state).some((check) => check.verdict === "refused")) {
    return "next:      a check was refused: change it in the plan, or allow it with drydock policy allow\n";
  }
  if (state.view.worker === "repair") return describeNextOfRepair(repairs);
  const who = failed.length > 0 ? ` on ${failed.slice(0, 3).join(", ")}` : "";
  return `next:      read the report${who}, then describe the goal in more detail or try another --model\n`;
}

/** The words of a goal decide nothing for repair: more time may help, tests, or a model. */
function describeNextOfRepair(repairs: GoalResult["repairs"]): string {
  const outOfTime = repairs.find(({ stopped }) => stopped === "time");
  const more = outOfTime ? `more time: --repair-seconds ${Math.ceil((outOfTime.seconds * 5) / 60) * 60}; or ` : "";
  return `next:      ${more}a language model: drydock model add --help shows how to set one up\n`;
}

function describeWorker({ repairs, costPerVerifiedUsd }: GoalResult, state: GoalState): string {
  const searches = repairs.map((report) => `, ${describeSearch(report)}`).join("");
  if (state.view.worker === "repair") return `worker:    ${describeModels(state)}${searches}\n`;
  const attempts = [...state.view.tasks.values()].flatMap((task) => task.attempts);
  const passed = attempts.filter(({ verdict }) => verdict === "passed").length;
  const share = attempts.length > 1 ? ` (${passed} of ${countWord(attempts.length, "attempt")} passed)` : "";
  const cost =
    costPerVerifiedUsd === null
      ? ""
      : `cost:      ${renderMoney(costPerVerifiedUsd)} for the verified change${share}\n`;
  return `model:     ${describeModels(state)}${describeUsage(state)}${searches}\n${costPerVerifiedUsd === 0 ? "" : cost}`;
}

function describeUsage({ view: { usage } }: GoalState): string {
  if (usage.calls === 0) return "";
  const tokens = usage.inputTokens + usage.outputTokens;
  const cost = usage.costUsd === null ? "cost unknown" : renderMoney(usage.costUsd);
  return `, ${countWord(usage.calls, "call")}, ${countWord(tokens, "token")}, ${cost}`;
}
