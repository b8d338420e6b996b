import type { LedgerContext } from "../ledger-context.ts";
import { type AgentStore, createAgentStore } from "./agent-store.ts";
import { type ConversationStore, createConversationStore } from "./conversation-store.ts";
import { createEventStore, type EventStore } from "./event-store.ts";
import { createFileStore, type FileStore } from "./file-store.ts";
import { createSourceStore, type SourceStore } from "./source-store.ts";
import { createTranscriptStore, type TranscriptStore } from "./transcript-store.ts";
import { createValueStore, type ValueStore } from "./value-store.ts";
import { createWarningStore, type WarningStore } from "./warning-store.ts";

/** Facts that belong to the host of agents, not to one run. */
export interface HostStore {
  agents: AgentStore;
  conversations: ConversationStore;
  events: EventStore;
  transcript: TranscriptStore;
  values: ValueStore;
  files: FileStore;
  warnings: WarningStore;
  sources: SourceStore;
}

export function createHostStore(context: LedgerContext): HostStore {
  return {
    agents: createAgentStore(context),
    conversations: createConversationStore(context),
    events: createEventStore(context),
    transcript: createTranscriptStore(context),
    values: createValueStore(context),
    files: createFileStore(context),
    warnings: createWarningStore(context),
    sources: createSourceStore(context),
  };
}
