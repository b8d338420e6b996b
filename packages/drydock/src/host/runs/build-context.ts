import type { HostAgent, HostEvent } from "@drydock/protocol";
import {
  RUNNER_LIMITS,
  type RunContext,
  type RunInput,
  type RunResources,
  type StateScope,
} from "@drydock/protocol/runner";
import type { HostStore } from "../../ledger/index.ts";
import { encodeCursor } from "../access/cursor.ts";
import { isSummary, readSummary } from "../access/read-summary.ts";
import type { AccessSnapshot } from "../access/snapshot.ts";
import { stateScopeKey } from "../access/state-scope-key.ts";
import { fitValues } from "../access/storage-api.ts";
import { describeDelivery } from "./deliver.ts";

export interface ContextRequest {
  runId: string;
  eventId: string;
  event: HostEvent;
  agent: HostAgent;
  snapshot: AccessSnapshot;
  conversation: string | null;
  deadlineMs: number;
  version: string;
  /** Contents that the message carried itself. */
  attachments: RunInput["attachments"];
  skills: RunResources["skills"];
}

const STATE_ITEMS = 100;

/** What a runner is told: the event and handles, never the history. */
export async function buildContext(request: ContextRequest, facts: HostStore): Promise<RunContext> {
  const { runId, eventId, event, agent, snapshot, conversation, deadlineMs, version, attachments } = request;
  const latest = conversation === null ? null : await facts.transcript.latest(conversation);
  const { conversation: where, actor, subject, input } = event;
  const { conversationId: conversation_id, threadId: thread_id } = snapshot;
  return {
    run_id: runId,
    trigger: { type: event.type, source: event.source, timestamp: event.time ?? null },
    event: {
      ...{ event_id: eventId, event_type: event.type, event_time: event.time ?? null, source: event.source },
      ...{ source_event_type: event.source_event_type ?? null, raw_ref: null, data: event.data },
    },
    conversation: where ? { ...where, sender_id: actor?.actor_id ?? null, session_id: null } : null,
    actor: actor ?? null,
    subject: subject ?? null,
    input: { text: input.text ?? null, contents: input.contents, attachments },
    delivery: describeDelivery({ agent, event }),
    resources: {
      ...{ skills: request.skills, platform_capabilities: {} },
      ...snapshot.resources,
    },
    context: {
      ...{ conversation_id, thread_id },
      latest_cursor: conversation && latest?.seq ? encodeCursor("history_page", conversation, latest.seq) : null,
      ...{ event_seq: null, transcript_seq: latest?.seq ?? null, has_history_before: (latest?.count ?? 0) > 1 },
      inline_policy: {
        ...{ mode: "current_event", delivered_count: 0, source_total_count: latest?.count ?? null },
        ...{ messages_complete: false, reason: "History is read by calls." },
      },
      available_apis: snapshot.apis,
    },
    state: await readState(request, facts),
    runtime: { version, trace_id: runId, deadline_at: deadlineMs / 1000, metadata: {} },
    config: agent.config,
    adapter: null,
    metadata: { agent: agent.name, ...(event.synthetic && { synthetic: true }) },
  };
}

/** What is kept in each scope that the run may use, as far as a message can hold it. */
async function readState(
  { snapshot, event, conversation }: ContextRequest,
  facts: HostStore,
): Promise<RunContext["state"]> {
  const read = async (scope: StateScope) => {
    if (!snapshot.stateScopes.includes(scope)) return {};
    const owner = `state:${stateScopeKey(scope, snapshot, event)}`;
    const kept: [string, unknown][] = [];
    const found = await facts.values.list(owner, { limit: STATE_ITEMS });
    for (const { key, value: text } of fitValues(found, RUNNER_LIMITS.contextStateBytes)) {
      const value = JSON.parse(text);
      const isVoid = isSummary(scope, key) && !(await readSummary({ snapshot, conversation, facts }, value));
      if (!isVoid) kept.push([key, value]);
    }
    return Object.fromEntries(kept);
  };
  return {
    conversation: await read("conversation"),
    actor: await read("actor"),
    subject: await read("subject"),
    runner: await read("runner"),
  };
}
