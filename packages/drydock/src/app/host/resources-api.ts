import type {
  AppendResults,
  ControlledRun,
  ControlledState,
  ConversationInfo,
  ConversationMessage,
  EventInfo,
  FeedEvent,
  FinalizeRun,
  HostEvent,
  HostRun,
  NewControlledRun,
  Run,
  RunEvent,
  RunStatus,
} from "@drydock/protocol";

/** One page. `cursor` of it asks for the next; null on the last. */
export interface PageOptions {
  limit?: number;
  cursor?: string;
}

type Identity = NonNullable<HostEvent["conversation"]>;

export interface HostConversations {
  /** Those with the newest events first; with an identity, the one that has exactly these ids. */
  list(
    options?: PageOptions & { identity?: Identity },
  ): Promise<{ conversations: ConversationInfo[]; cursor: string | null }>;
  get(id: string): Promise<ConversationInfo>;
  messages(
    id: string,
    options?: PageOptions & { direction?: "backward" | "forward" },
  ): Promise<{ messages: ConversationMessage[]; cursor: string | null }>;
  /** What this process still keeps of the feed, after a cursor or from the oldest. */
  feed(id: string, after?: string): Promise<FeedEvent[]>;
  /** The cursor of the newest event of the feed. The conversation need not have begun. */
  latest(id: string): Promise<string>;
  /** What is to come, or what came after a cursor, until the signal. The conversation need not have begun. */
  follow(id: string, options: { after?: string; signal: AbortSignal }): AsyncGenerator<FeedEvent[]>;
  /** The id that the conversation with these ids at its source has here. */
  idOf(event: Pick<HostEvent, "conversation" | "synthetic">): Promise<string | null>;
  /** Cancels its runs, waits for their end, and removes messages, state and what its events said. */
  delete(id: string): Promise<ConversationInfo>;
}

export interface HostEvents {
  get(id: string): Promise<EventInfo>;
  /** Events of a conversation, the newest first. */
  list(conversation: string, options?: PageOptions): Promise<{ events: EventInfo[]; cursor: string | null }>;
}

/** Runs of agents, for a platform on top of the host. */
export interface HostRuns {
  /** Creates a run that the caller carries out, in the place of the agent's runner. */
  create(request: NewControlledRun): Promise<ControlledRun>;
  get(runId: string): Promise<HostRun>;
  list(options?: {
    limit?: number;
    cursor?: string;
    status?: RunStatus;
  }): Promise<{ runs: Run[]; cursor: string | null }>;
  events(runId: string, options?: { after?: number }): Promise<RunEvent[]>;
  /** Ends a run of an agent. It has ended when it says so: the runner is told, and has 2 s. */
  cancel(runId: string): Promise<void>;
  /** Results, known by their numbers. They take effect as those of a runner. */
  append(runId: string, request: AppendResults): Promise<ControlledState>;
  /** The end, exactly once. The same one again changes nothing. */
  finalize(runId: string, request: FinalizeRun): Promise<ControlledState>;
}
