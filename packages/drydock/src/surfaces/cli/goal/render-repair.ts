import {
  countWord,
  describeAlike,
  describeBest,
  describeDiffer,
  describeNoticed,
  describeOthers,
  foldOthers,
  listOthers,
  type RepairChange,
  type RepairReport,
} from "@drydock/protocol";
import type { GoalResult } from "../../../app/index.ts";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";
import { quoteArgument } from "../quote-argument.ts";
import type { GoalFlags } from "./goal-flags.ts";
import { listChangedLines } from "./list-changed-lines.ts";

const SHOWN = 3;
const MAX_LINES = 12;

interface RepairLook {
  colors: Colors;
  /** Whether each change that passes is listed. */
  all: boolean;
  /** What was given on the command line: a run that follows does not take it over, and has to be told again. */
  given?: Pick<GoalFlags, "check" | "workspace">;
}

/** What a search leaves to say: which other changes pass as well, or how far the best one came. */
export function renderRepair(
  report: RepairReport,
  { status, runId }: Pick<GoalResult, "status" | "runId">,
  { colors, all, given = {} }: RepairLook,
): string {
  const lines: string[] = [];
  // What was delivered is shown as it is: `+1 -1 calc.py` says nothing about it.
  const taken =
    report.chosen === null ? undefined : report.changes.find(({ candidate }) => candidate === report.chosen);
  if (taken) lines.push(...renderChange({ ...taken, candidate: 0 }, colors));
  const others = describeOthers(report);
  if (others !== null) lines.push(colors.yellow(`${others}.`), ...renderOthers(report, { colors, all }));
  if (report.refused > 0)
    lines.push(`The verifier rejected ${countWord(report.refused, "higher-ranked change")} first.`);
  if (report.chosen === null && report.changes.length > 0 && status === "cancelled") {
    lines.push("Found, but not verified because the run was cancelled:", ...renderChange(report.changes[0], colors));
  }
  const best = report.chosen === null && report.changes.length === 0 ? describeBest(report) : null;
  if (best !== null) lines.push(best, ...renderChange(report.best, colors));
  if (report.chosen === null && status !== "paused") lines.push(...describeWayOn(report, runId, given));
  return lines.map((line) => `${line}\n`).join("");
}

/** A change on record is taken up by a run that follows: it is verified, or searched from. */
function describeWayOn(
  { best, changes, refused }: RepairReport,
  runId: string,
  { check = [], workspace }: NonNullable<RepairLook["given"]>,
): string[] {
  if (refused > 0 || (changes.length === 0 && best === null)) return [];
  const isWhole = changes.length > 0 || best?.tests.failing === 0;
  const place = workspace === undefined ? [] : [`--workspace ${quoteArgument(workspace)}`];
  const checks = check.map((text) => `--check ${quoteArgument(text)}`);
  const words = ["drydock run --follow", runId, ...place, ...checks];
  return [`${isWhole ? "verify it: " : "go on:     "}${words.join(" ")}`];
}

function renderOthers(report: RepairReport, { colors, all }: RepairLook): string[] {
  const { likeTaken, shown: folded } = foldOthers(report);
  const shown = all ? listOthers(report).map((change) => ({ change, alike: 0 })) : folded.slice(0, SHOWN);
  const hidden = all ? 0 : folded.length - shown.length;
  const like = all ? null : describeAlike(likeTaken, "taken");
  const differ = describeDiffer(report).map((line, index) => `${index === 0 ? "" : "  "}${cleanLine(line)}`);
  return [
    ...shown.flatMap(({ change, alike }) => [
      ...renderChange(change, colors),
      ...[describeAlike(alike, "this")].flatMap((words) => (words === null ? [] : [colors.dim(`     ${words}`)])),
    ]),
    ...(like === null ? [] : [colors.dim(`  ${like}: --all lists them`)]),
    ...(hidden > 0 ? [colors.dim(`  and ${hidden} more: --all lists them`)] : []),
    ...differ,
  ];
}

/** Which change it is, in words, and the lines that it adds and removes. */
function renderChange(change: RepairChange | null | undefined, colors: Colors): string[] {
  if (!change) return [];
  const { candidate, summary, diff } = change;
  const lines = listChangedLines(diff);
  const strength = describeNoticed(change);
  const number = candidate === 0 ? "" : `${candidate}. `;
  return [
    `  ${number}${cleanLine(summary)}`,
    ...lines.slice(0, MAX_LINES).map((line) => {
      const text = `     ${cleanText(line.replace(/\r$/, ""))}`;
      return line.startsWith("+") ? colors.green(text) : colors.red(text);
    }),
    ...(lines.length > MAX_LINES ? [colors.dim(`     … ${lines.length - MAX_LINES} more lines`)] : []),
    ...(strength === null ? [] : [colors.dim(`     ${strength}`)]),
  ];
}
