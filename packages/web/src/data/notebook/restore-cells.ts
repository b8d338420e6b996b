import { ErrorInfo, type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import type { Execution, OutputPiece } from "../execution.ts";
import { type Cell, createCell } from "./cell.ts";

/** What was kept in this tab: cells in their order, also those that have not run. */
export interface KeptCell {
  code: string;
  runId: string | null;
}

/** A session as its record tells it. */
export interface RecordedSession {
  cells: Cell[];
  /** The step whose state it has. */
  current: number;
  /** The step that each successful step began after. */
  parents: ReadonlyMap<number, number>;
  language: "python" | "node";
  forkedFrom: { sessionId: string; step: number } | null;
}

/** The runs of a session, each with its events, the oldest first. */
export function readSession(records: readonly (readonly RunEvent[])[]): RecordedSession {
  const session = { cells: [] as Cell[], current: 0, parents: new Map<number, number>() };
  let language: RecordedSession["language"] = "python";
  let forkedFrom: RecordedSession["forkedFrom"] = null;
  for (const events of records) {
    const { rollback, request } = Object(events[0]?.data) as { rollback?: unknown; request?: unknown };
    const asked = Object(request) as Record<string, unknown>;
    const hasEndedWell = events.some(({ type }) => type === "run.succeeded");
    if (typeof rollback === "number") {
      if (hasEndedWell) session.current = rollback;
      continue;
    }
    if (asked.language === "node") language = "node";
    forkedFrom ??= readFork(asked.forkedFrom);
    if (typeof asked.code !== "string") {
      if (forkedFrom) session.current = forkedFrom.step;
      continue;
    }
    const cell = readCell(events, asked);
    if (asked.look === true || cell === null) continue;
    // A cell that ran again has its newest outcome, at its place.
    const at = session.cells.findIndex(({ code, isTerminal }) => !isTerminal && code === cell.code);
    if (at < 0 || cell.isTerminal) session.cells.push(cell);
    else session.cells[at] = cell;
    if (!hasEndedWell || cell.step === null) continue;
    session.parents.set(cell.step, session.current);
    session.current = cell.step;
  }
  return { ...session, language, forkedFrom };
}

function readFork(value: unknown): RecordedSession["forkedFrom"] {
  const { sessionId, step } = Object(value) as { sessionId?: unknown; step?: unknown };
  return typeof sessionId === "string" && typeof step === "number" ? { sessionId, step } : null;
}

function readCell(events: readonly RunEvent[], asked: Record<string, unknown>): Cell | null {
  const code = String(asked.code);
  const step = typeof asked.step === "number" ? asked.step : null;
  const isTerminal = asked.terminal === true;
  return { ...createCell(code), ...readExecution(events), ranCode: code, step, isTerminal };
}

function readExecution(events: readonly RunEvent[]): Execution {
  const end = events.find(({ type }) => TERMINAL_EVENTS.includes(type));
  const output: OutputPiece[] = [];
  for (const { data } of events.filter(({ type }) => type === "output.recorded")) {
    for (const stream of ["stdout", "stderr"] as const) {
      if (typeof data[stream] === "string" && data[stream] !== "") output.push({ stream, text: data[stream] });
    }
  }
  const states = { "run.succeeded": "ok", "run.cancelled": "cancelled", "run.lost": "cancelled" } as const;
  const { usage, notes } = Object(end?.data) as { usage?: { wallMs?: unknown }; notes?: unknown };
  return {
    state: end ? (states[end.type as keyof typeof states] ?? "failed") : "running",
    runId: events[0]?.runId ?? null,
    output,
    result: end?.data.result,
    error: ErrorInfo.safeParse(end?.data.error).data ?? null,
    artifacts: events.filter(({ type }) => type === "artifact.stored").map(({ data }) => data as never),
    notes: Array.isArray(notes) ? notes.map(String) : [],
    wallMs: typeof usage?.wallMs === "number" ? usage.wallMs : null,
    asks: null,
  };
}

/** The cells as somebody left them in this tab, with what the record has of each; what was done elsewhere comes last. */
export function mergeKept(recorded: readonly Cell[], kept: readonly KeptCell[], known: readonly string[]): Cell[] {
  const byRun = new Map(recorded.map((cell) => [cell.runId, cell]));
  const isFree = ({ runId }: Cell) => !known.includes(runId ?? "") && !kept.some((each) => each.runId === runId);
  const cells = kept.flatMap(({ code, runId }) => {
    // One that was stopped, or was under way when the tab was left, is known by its code.
    const cell = runId === null ? recorded.find((each) => each.code === code && isFree(each)) : byRun.get(runId);
    if (runId !== null && !cell) return [];
    return [cell ? { ...cell, code: cell.isTerminal ? cell.code : code } : createCell(code)];
  });
  const shown = new Set(cells.map(({ runId }) => runId));
  return [...cells, ...recorded.filter(({ runId }) => !shown.has(runId) && !known.includes(runId ?? ""))];
}

/** Steps whose effects the session has: its state and what led to it. */
export function findPath({ current, parents }: Pick<RecordedSession, "current" | "parents">): ReadonlySet<number> {
  const path = new Set<number>();
  for (let at: number | undefined = current; at !== undefined && !path.has(at); at = parents.get(at)) path.add(at);
  return path;
}
