import type { EventType, RunEvent } from "@drydock/protocol";

export interface JournalEntry {
  type: EventType;
  /** Says which step this is the record of: the same step has the same key whenever and wherever it is made. */
  key: string;
  data: Record<string, unknown>;
}

/** The events of one run, as memory of what has been done: a step with a record is not made again. */
export interface Journal {
  readonly runId: string;
  /** The last event of this type with this key. */
  find(type: EventType, key: string): RunEvent | undefined;
  events(): readonly RunEvent[];
  /** All or none, in order. */
  append(entries: readonly JournalEntry[]): Promise<void>;
}

/** Texts of a run that are too long for an event. */
export interface Documents {
  /** Stores a text for people, without secrets. Returns the artifact's id. */
  file(name: string, text: string): Promise<string>;
  /** Stores a text for resuming and replays, unchanged. Returns its hash. */
  keep(text: string): Promise<string>;
  read(sha256: string): Promise<string>;
}
