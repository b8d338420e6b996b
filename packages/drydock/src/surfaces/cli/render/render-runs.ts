import {
  type ArtifactRef,
  type CheckResult,
  countWord,
  type GoalUsage,
  type Run,
  type RunStatus,
  type Verdict,
} from "@drydock/protocol";
import type { RunFindings } from "../../../app/index.ts";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import { renderError } from "../../terminal/render/render-error.ts";
import { renderBytes, renderDuration, renderTime } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";
import { renderMoney } from "./render-money.ts";
import { renderStrength } from "./render-strength.ts";
import { renderCheck } from "./render-verification.ts";

function paintStatus(status: RunStatus, colors: Colors): (text: string) => string {
  const paints = {
    queued: colors.dim,
    running: colors.cyan,
    paused: colors.yellow,
    interrupted: colors.magenta,
    succeeded: colors.green,
    failed: colors.red,
    cancelled: colors.yellow,
    lost: colors.magenta,
  };
  return paints[status];
}

/** Other kinds of runs are not judged by checks. */
const JUDGED: readonly string[] = ["goal", "wrap", "verify"];

function paintVerdict(verdict: Verdict, colors: Colors): (text: string) => string {
  const paints = { passed: colors.green, failed: colors.red, unproven: colors.yellow, unverified: colors.dim };
  return paints[verdict];
}

/** Of a run that is under way: so far. */
function renderLength({ createdAt, endedAt, status }: Run): string {
  if (endedAt === null && status !== "running") return "-";
  const end = endedAt === null ? Date.now() : Date.parse(endedAt);
  return `${renderDuration(Math.max(0, end - Date.parse(createdAt)))}${endedAt === null ? " so far" : ""}`;
}

const SHORT_ID_CHARS = 8;

/** Ids begin with the time and end with what differs, so that the end is shown: as much as tells these ids apart. */
function createShortener(ids: readonly string[]): (id: string) => string {
  let length = SHORT_ID_CHARS;
  while (length < 26 && new Set(ids.map((id) => id.slice(-length))).size < ids.length) length += 1;
  return (id) => id.slice(-length);
}

/** `costs`: what the models of a run cost, as text. The column is there where one of them used a model. */
export function renderRuns(
  runs: readonly Run[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
  costs: ReadonlyMap<string, string> = new Map(),
): string {
  if (runs.length === 0) return "No runs.\n";
  const cost = costs.size === 0 ? [] : ["COST"];
  const names = ["ID", "STARTED", "TOOK", ...cost, "STATUS", "VERDICT", "TITLE"];
  const head = names.map((text) => ({ text, paint: outColors.dim }));
  const shorten = createShortener(runs.map(({ id }) => id));
  const rows = runs.map((run) => [
    shorten(run.id),
    renderTime(run.createdAt),
    renderLength(run),
    ...(costs.size === 0 ? [] : [costs.get(run.id) ?? "-"]),
    { text: run.errorCode ?? run.status, paint: paintStatus(run.status, outColors) },
    { text: JUDGED.includes(run.kind) ? run.verdict : "-", paint: paintVerdict(run.verdict, outColors) },
    cleanLine(run.title),
  ]);
  return renderTable([head, ...rows], { right: costs.size === 0 ? [2] : [2, 3], columns });
}

/** A run with its verdict, what that rests on, and what became of its changes. */
export function renderRun(
  run: Run & RunFindings & { artifacts: readonly ArtifactRef[]; spent: GoalUsage | null },
  colors: Colors,
): string {
  const isJudged = JUDGED.includes(run.kind);
  const rows: [string, string][] = [
    ["run", run.id],
    ["kind", run.sessionId === null ? run.kind : `${run.kind} of ${run.sessionId}`],
    ["title", cleanLine(run.title)],
    ["status", describeStatus(run)],
    ["verdict", run.verdict],
    ...(isJudged || run.status === "lost" ? [["reason", cleanLine(run.reason)] satisfies [string, string]] : []),
    ...(run.follows === null ? [] : [["follows", run.follows] satisfies [string, string]]),
    ...run.followedBy.map((id): [string, string] => ["followed by", id]),
    ["workspace", cleanLine(run.workspace ?? "-")],
    ["started", renderTime(run.createdAt)],
    ["took", renderLength(run)],
    ["events", String(run.events)],
    ...(run.spent === null ? [] : [["models", describeUsed(run.spent)] satisfies [string, string]]),
    ["tree", run.treeHash ?? "-"],
    ["head", run.headHash],
    ...run.permissions.map(describePermission),
    ...run.deliveries.map(describeDelivery),
    ...run.artifacts.map(({ id, name, mime, size }): [string, string] => [
      "artifact",
      `${cleanLine(name)} (${mime}, ${renderBytes(size)}, ${id})`,
    ]),
  ];
  const table = renderTable(
    rows.map(([name, value]) => {
      const paint = name === "status" ? paintStatus(run.status, colors) : undefined;
      return [
        { text: name, paint: colors.dim },
        { text: value, ...(paint ? { paint } : {}) },
      ];
    }),
  );
  const checks = run.checks.map(({ task, title, result }) => {
    const name = task === null ? title : `${task}: ${title}`;
    return renderCheck({ ...result, name }, colors) + renderWorth(result, colors);
  });
  const strength = run.strength ? renderStrength(run.strength, undefined, colors) : "";
  const error = run.error ? `\n${renderError(run.error, colors)}` : "";
  return table + checks.join("") + strength + error;
}

function describeUsed({ calls, inputTokens, outputTokens, costUsd }: GoalUsage): string {
  const cost = costUsd === null ? "cost unknown" : renderMoney(costUsd);
  return `${countWord(calls, "call")}, ${countWord(inputTokens + outputTokens, "token")}, ${cost}`;
}

/** What a status means, where its name does not say it. */
function describeStatus({ id, status, errorCode }: Run): string {
  if (status === "lost") return "lost: the Drydock process that ran it ended before the run did";
  if (status === "queued") return "queued: it waits for a worker";
  if (status === "interrupted") return `interrupted: its process ended; continue with drydock run --resume ${id}`;
  return errorCode === null ? status : `${status} (${errorCode})`;
}

function describePermission({
  title,
  kind,
  decision,
  by,
  reason,
}: RunFindings["permissions"][number]): [string, string] {
  return [decision, cleanLine(`${kind}: ${title} (${by}: ${reason})`)];
}

function describeDelivery({ type, at, branch, commit, reason }: RunFindings["deliveries"][number]): [string, string] {
  const where = branch === null ? "" : `, branch ${cleanLine(branch)} (${(commit ?? "").slice(0, 12)})`;
  const word = type === "layer.applied" ? "delivered" : type.replace("layer.", "");
  return [word, `${renderTime(at)}${where}${reason === null ? "" : `: ${cleanLine(reason)}`}`];
}

/** Whether a check shows that the change does something. Empty if that was not checked. */
function renderWorth({ verdict, proves, doubt }: CheckResult, colors: Colors): string {
  if (verdict !== "passed" || proves === undefined) return "";
  const why = doubt === undefined ? "" : `: ${cleanLine(doubt)}`;
  return proves ? "    proves the change: it fails without it\n" : `    ${colors.yellow(`proves nothing${why}`)}\n`;
}

/** Painted for people, who see what is no printable character; elsewhere the diff itself, which programs can apply. */
export function renderDiff(
  diff: string,
  { outColors: colors, isOutputTerminal }: Pick<Terminal, "outColors" | "isOutputTerminal">,
): string {
  if (!isOutputTerminal) return diff;
  const paint = (line: string) => {
    if (/^(diff |index |---|\+\+\+)/.test(line)) return colors.bold(line);
    if (line.startsWith("@@")) return colors.cyan(line);
    if (line.startsWith("+")) return colors.green(line);
    return line.startsWith("-") ? colors.red(line) : line;
  };
  return diff.split("\n").map(cleanText).map(paint).join("\n");
}
