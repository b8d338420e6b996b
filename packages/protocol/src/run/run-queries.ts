import type { EventGroup } from "./event-types.ts";
import type { RunKind, RunStatus, Verdict } from "./run.ts";

/** Which runs are asked for. All conditions hold together; of several values of one, any. */
export interface RunFilter {
  status?: RunStatus | readonly RunStatus[];
  verdict?: Verdict | readonly Verdict[];
  kind?: RunKind | readonly RunKind[];
  session?: string;
  /** The workspace's whole path. */
  workspace?: string;
  /** Name of the agent whose run it is. */
  agent?: string;
  /** Words that all occur in the title, the id or the workspace, in upper or lower case. */
  text?: string;
  /** Only runs that were started then or later, ISO 8601. */
  since?: string;
  /** Only runs that were started before, ISO 8601. */
  until?: string;
}

export interface ListRunsOptions extends RunFilter {
  /** 1 to 1000, default 50. */
  limit?: number;
  /** What the page before gave as its cursor. */
  cursor?: string | null;
}

export interface RunHistoryOptions {
  /** ISO 8601. Default: a day before `until`. */
  since?: string;
  /** ISO 8601. Default: now. */
  until?: string;
  /** How many periods the time is divided into: 1 to 200, default 48. */
  periods?: number;
}

export interface SearchEventsOptions {
  /** Words that all occur in an event's details, its type or the id of its run, in upper or lower case. */
  text?: string;
  /** Only events of these groups. Default: all. */
  groups?: readonly EventGroup[];
  /** Only events that were recorded then or later, ISO 8601. */
  since?: string;
  /** Only events that were recorded before, ISO 8601. */
  until?: string;
  /** 1 to 200, default 50. */
  limit?: number;
  /** What the page before gave as its cursor. */
  cursor?: string;
}

export interface EventPageOptions {
  /** Only events after this number. */
  after?: number;
  /** Only events before this number. */
  before?: number;
  /** Which end of what is left is read. Default: `first`. */
  from?: "first" | "last";
  /** 1 to 1000. Default: 1000. */
  limit?: number;
  /** Only events of these groups. Default: all. */
  groups?: readonly EventGroup[];
}
