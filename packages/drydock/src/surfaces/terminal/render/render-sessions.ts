import type { Rollback, SessionInfo, SessionTotals } from "@drydock/protocol";
import { cleanLine } from "../clean-text.ts";
import type { Terminal } from "../terminal.ts";
import { renderBytes, renderDuration, renderTime } from "./render-quantities.ts";
import { renderTable } from "./render-table.ts";

export function renderSessions(
  sessions: readonly SessionInfo[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  if (sessions.length === 0) return "No session is open.\n";
  const head = ["ID", "LANGUAGE", "STEPS", "LEFT", "IDLE", "MEMORY", "WORKSPACE"];
  const rows = sessions.map((info) => [
    info.sessionId,
    info.language,
    String(info.steps),
    String(info.tasksLeft),
    renderDuration(info.idleSeconds * 1000),
    renderBytes(info.memoryBytes),
    cleanLine(info.workspace ?? "-"),
  ]);
  return renderTable([head.map((text) => ({ text, paint: outColors.dim })), ...rows], { right: [2, 3, 4, 5], columns });
}

export function renderSession(info: SessionInfo): string {
  return renderTable([
    ["session", info.sessionId],
    ["language", info.language],
    ["workspace", cleanLine(info.workspace ?? "-")],
    ["opened", renderTime(info.createdAt)],
    ["last used", renderTime(info.lastUsedAt)],
    ...(info.forkedFrom ? [["fork of", `${info.forkedFrom.sessionId}, after step ${info.forkedFrom.step}`]] : []),
    ["steps", `${info.steps}, ${info.tasksLeft} left`],
    ["kept states", info.kept.join(", ") || "-"],
    ["memory", renderBytes(info.memoryBytes)],
    ["cpu", renderDuration(info.cpuMs)],
  ]);
}

export function renderTotals(totals: SessionTotals): string {
  return renderTable([
    ["live", String(totals.live)],
    ["opened", String(totals.opened)],
    ["closed when idle", String(totals.closedIdle)],
    ["steps", String(totals.steps)],
    ["failed steps", String(totals.failedSteps)],
    ["cpu", renderDuration(totals.cpuMs)],
  ]);
}

export function renderRollback({ step, kept, notes }: Rollback): string {
  const others = kept.filter((each) => each !== step).join(", ");
  const state = step === 0 ? "before the first step" : `after step ${step}`;
  const lines = [`The session is as it was ${state}.`, ...(others ? [`Also kept: ${others}`] : [])];
  return `${[...lines, ...notes.map((note) => `note: ${cleanLine(note)}`)].join("\n")}\n`;
}
