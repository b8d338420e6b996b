import type { HostAgent, HostEvent } from "@drydock/protocol";
import type { AvailableApis, Message, RunnerManifest, RunResources, StateScope } from "@drydock/protocol/runner";
import { listFiles, listModels } from "./config-resources.ts";
import { readPrompt } from "./read-prompt.ts";

/**
 * What one run may use: what its runner asks for, of that what the agent grants, of that what the event's identity allows.
 * It is made once, frozen into the run, and every call of the host API is checked against it and nothing else.
 */
export interface AccessSnapshot {
  runnerId: string;
  /** `author/name`. It comes from the connection: a runner can't name another. */
  plugin: string;
  agent: string;
  conversationId: string | null;
  threadId: string | null;
  botId: string | null;
  workspaceId: string | null;
  resources: Pick<RunResources, "models" | "tools" | "knowledge_bases" | "files" | "storage">;
  /** Whether it may read whole documents of the knowledge bases that it may search. */
  readsDocuments: boolean;
  apis: AvailableApis;
  stateScopes: StateScope[];
  /** Names and patterns of actions that it may ask for. */
  actions: string[];
  /** Whether it may start the agent of its settings. The owner has to have enabled that, too. */
  harness: boolean;
  /** The prompt that the agent is set up with. */
  prompt: Message[];
}

export interface SnapshotRequest {
  manifest: RunnerManifest;
  plugin: string;
  agent: HostAgent;
  event: HostEvent;
  /** Those that the agent grants and its settings select, as they are now. */
  knowledge: readonly { id: string; name: string }[];
}

export function takeSnapshot({ manifest, plugin, agent, event, knowledge }: SnapshotRequest): AccessSnapshot {
  const { permissions, capabilities } = manifest;
  const { grants } = agent;
  const { conversation, actor, subject } = event;
  const conversationId = conversation?.conversation_id ?? null;
  const hasConversation = conversationId !== null;
  const asks = <Kind extends keyof typeof permissions>(kind: Kind, operation: (typeof permissions)[Kind][number]) =>
    (permissions[kind] as readonly string[]).includes(operation);
  const identities: Record<StateScope, boolean> = {
    conversation: hasConversation,
    actor: Boolean(actor?.actor_id),
    subject: Boolean(subject?.subject_id),
    runner: true,
  };
  const stateScopes = grants.stateScopes.filter((scope) => identities[scope]);
  const listTool = (tool_name: string) => ({ tool_name, operations: [...permissions.tools] });
  const storage = {
    plugin_storage: asks("storage", "plugin") && grants.pluginStorage,
    workspace_storage: asks("storage", "workspace") && grants.workspaceStorage && Boolean(conversation?.workspace_id),
  };
  return {
    ...{ runnerId: manifest.id, plugin, agent: agent.name },
    ...{ conversationId, threadId: conversation?.thread_id ?? null },
    ...{ botId: conversation?.bot_id ?? null, workspaceId: conversation?.workspace_id ?? null },
    resources: {
      tools: capabilities.tool_calling && permissions.tools.length > 0 ? grants.tools.map(listTool) : [],
      models: listModels(manifest, agent),
      knowledge_bases:
        capabilities.knowledge_retrieval && permissions.knowledge_bases.length > 0
          ? knowledge.map(({ id, name }) => ({
              kb_id: id,
              kb_name: name,
              operations: [...permissions.knowledge_bases],
            }))
          : [],
      files: asks("files", "config") ? listFiles(manifest, agent) : [],
      storage,
    },
    readsDocuments: asks("files", "knowledge"),
    apis: {
      history_page: asks("history", "page") && grants.history && hasConversation,
      history_search: asks("history", "search") && grants.history && hasConversation,
      event_get: asks("events", "get") && grants.events,
      event_page: asks("events", "page") && grants.events && hasConversation,
      artifact_metadata: asks("artifacts", "metadata") && grants.artifacts,
      artifact_read: asks("artifacts", "read") && grants.artifacts,
      state: stateScopes.length > 0,
      storage: storage.plugin_storage || storage.workspace_storage,
      steering_pull: capabilities.steering && hasConversation,
    },
    stateScopes,
    actions: [...grants.actions],
    harness: asks("harness", "run"),
    prompt: readPrompt(manifest, agent.config),
  };
}
