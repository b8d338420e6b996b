import { TERMINAL_EVENTS, VERDICTS } from "@drydock/protocol";
import type { EventsTable, RunsTable } from "../database/schema.ts";
import { foldOwner } from "./run-state.ts";

type CreatedColumns = Pick<RunsTable, "kind" | "title" | "session_id" | "workspace" | "created_at"> &
  Pick<RunsTable, "owner_pid" | "owner_start" | "owner_host" | "fence">;
type Ended = Pick<RunsTable, "status" | "verdict" | "error_code" | "tree_hash" | "ended_at">;
type Data = Record<string, unknown>;

/** The columns of `runs` that repeat what `run.created` says. Written from here, and checked against it in an audit. */
export function foldCreated(event: Pick<EventsTable, "at">, data: Data): CreatedColumns {
  return {
    kind: text(data.kind) ?? "",
    title: text(data.title) ?? "",
    session_id: text(data.sessionId),
    workspace: text(data.workspace),
    created_at: event.at,
    ...foldOwner(data),
    fence: 0,
  };
}

/** The columns of a run that is still under way. */
export const UNENDED: Ended = {
  status: "running",
  verdict: "unverified",
  error_code: null,
  tree_hash: null,
  ended_at: null,
};

/** The columns that repeat what the terminal event says: its type, and `verdict`, `error.code` and `treeHash` of its data. */
export function foldTerminal(event: Pick<EventsTable, "type" | "at">, data: Data): Ended {
  return {
    status: event.type.slice("run.".length),
    verdict: VERDICTS.find((verdict) => verdict === data.verdict) ?? "unverified",
    error_code: text(asRecord(data.error).code),
    tree_hash: text(data.treeHash),
    ended_at: event.at,
  };
}

export function isFinalEvent(type: string): boolean {
  return (TERMINAL_EVENTS as readonly string[]).includes(type);
}

function asRecord(value: unknown): Data {
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
