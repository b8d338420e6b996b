import type { ArtifactRef, Run, RunStatus } from "@drydock/protocol";
import type { Colors, Terminal } from "../terminal.ts";
import { cleanLine } from "./clean-text.ts";
import { renderBytes, renderDuration, renderTime } from "./render-quantities.ts";
import { renderTable } from "./render-table.ts";

function paintStatus(status: RunStatus, colors: Colors): (text: string) => string {
  const paints = {
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

function renderLength({ createdAt, endedAt }: Run): string {
  return endedAt === null ? "-" : renderDuration(Math.max(0, Date.parse(endedAt) - Date.parse(createdAt)));
}

export function renderRuns(
  runs: readonly Run[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  if (runs.length === 0) return "No runs.\n";
  const head = ["ID", "STARTED", "TOOK", "STATUS", "TITLE"].map((text) => ({ text, paint: outColors.dim }));
  const rows = runs.map((run) => [
    run.id,
    renderTime(run.createdAt),
    renderLength(run),
    { text: run.errorCode ?? run.status, paint: paintStatus(run.status, outColors) },
    cleanLine(run.title),
  ]);
  return renderTable([head, ...rows], { right: [2], columns });
}

export function renderRun(run: Run & { artifacts: readonly ArtifactRef[] }, colors: Colors): string {
  const rows: [string, string][] = [
    ["run", run.id],
    ["kind", run.sessionId === null ? run.kind : `${run.kind} of ${run.sessionId}`],
    ["title", cleanLine(run.title)],
    ["status", run.errorCode === null ? run.status : `${run.status} (${run.errorCode})`],
    ["verdict", run.verdict],
    ["workspace", cleanLine(run.workspace ?? "-")],
    ["started", renderTime(run.createdAt)],
    ["took", renderLength(run)],
    ["events", String(run.events)],
    ["tree", run.treeHash ?? "-"],
    ["head", run.headHash],
    ...run.artifacts.map(({ id, name, mime, size }): [string, string] => [
      "artifact",
      `${cleanLine(name)} (${mime}, ${renderBytes(size)}, ${id})`,
    ]),
  ];
  return renderTable(
    rows.map(([name, value]) => {
      const paint = name === "status" ? paintStatus(run.status, colors) : undefined;
      return [
        { text: name, paint: colors.dim },
        { text: value, ...(paint ? { paint } : {}) },
      ];
    }),
  );
}

/** Painted for people; without colours it is the diff itself, which other programs can apply. */
export function renderDiff(diff: string, colors: Colors): string {
  if (!colors.isColorSupported) return diff;
  const paint = (line: string) => {
    if (/^(diff |index |---|\+\+\+)/.test(line)) return colors.bold(line);
    if (line.startsWith("@@")) return colors.cyan(line);
    if (line.startsWith("+")) return colors.green(line);
    return line.startsWith("-") ? colors.red(line) : line;
  };
  return diff.split("\n").map(paint).join("\n");
}
