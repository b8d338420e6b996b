import {
  type ConversationInfo,
  type ConversationMessage,
  DrydockError,
  type EventInfo,
  HOST_LIMITS,
  hasEnded,
} from "@drydock/protocol";
import { ApiError } from "@drydock/protocol/runner";
import { conversationKey, decodeCursor, encodeCursor, type Host, stateScopeKey } from "../../host/index.ts";
import type { HostStore, Ledger, StoredConversation, StoredEvent, TranscriptEntry } from "../../ledger/index.ts";
import type { HostConversations, HostEvents } from "./resources-api.ts";

const PREFIX = "cnv_";
/** Not one of a conversation: the list of all of them. */
const EVERY = "*";
const END_MS = 15_000;
const LOOK_MS = 100;

export interface ConversationPorts {
  facts: HostStore;
  host: Pick<Host, "feeds" | "clear">;
  ledger: Pick<Ledger, "getRun" | "events" | "requests" | "recover">;
}

export function createConversations({ facts, host, ledger }: ConversationPorts): HostConversations {
  const findKnown = async (id: string): Promise<StoredConversation> => {
    const found = id.startsWith(PREFIX) ? await facts.conversations.find(id.slice(PREFIX.length)) : null;
    if (found) return found;
    const hint = "`drydock agent conversations` and GET /host/conversations list them.";
    throw new DrydockError("conversation.not_found", `There is no conversation ${id}.`, hint, { conversation: id });
  };
  return {
    async list({ identity, cursor, ...options } = {}) {
      const limit = readLimit(options.limit);
      if (identity) {
        const found = await facts.conversations.find(conversationKey({ conversation: identity }) ?? "");
        return { conversations: found ? [describe(found)] : [], cursor: null };
      }
      const before = readCursor("conversations", EVERY, cursor);
      const found = await facts.conversations.list({ before, limit: limit + 1 });
      const next = nextOf(found, limit, ({ last }) => encodeCursor("conversations", EVERY, last.seq));
      return { conversations: found.slice(0, limit).map(describe), cursor: next };
    },
    get: async (id) => describe(await findKnown(id)),
    async messages(id, { cursor, direction = "backward", ...options } = {}) {
      const { key } = await findKnown(id);
      const limit = readLimit(options.limit);
      const place = readCursor(`messages ${direction}`, key, cursor);
      const page = direction === "forward" ? { after: place } : { before: place };
      const found = await facts.transcript.page(key, { ...page, limit: limit + 1, direction });
      const next = nextOf(found, limit, ({ seq }) => encodeCursor(`messages ${direction}`, key, seq));
      return { messages: found.slice(0, limit).map(describeMessage), cursor: next };
    },
    feed: async (id, after) => host.feeds.read((await findKnown(id)).key, after),
    latest: async (id) => host.feeds.latest(keyOf(id)),
    async *follow(id, options) {
      yield* host.feeds.follow(keyOf(id), options);
    },
    async idOf(event) {
      const key = conversationKey(event);
      return key === null ? null : `${PREFIX}${key}`;
    },
    async delete(id) {
      const found = await findKnown(id);
      const { key } = found;
      const endMs = performance.now() + END_MS;
      await host.clear(key, async () => {
        const runs = await facts.conversations.runs(key);
        await endRuns(ledger, runs, endMs);
        if (await facts.conversations.erase(key, await listOwners(ledger, runs, found))) return true;
        // Another process was given an event of it meanwhile.
        if (performance.now() > endMs) throw stillUsed(id);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        return false;
      });
      host.feeds.drop(key);
      return describe(found);
    },
  };
}

export function createEvents({ facts }: Pick<ConversationPorts, "facts">): HostEvents {
  return {
    async get(id) {
      const found = await facts.events.find(id);
      if (found) return describeEvent(found);
      const hint = "Send it again, or look at the events of its conversation: GET /api/events?conversation=ID.";
      throw new DrydockError("event.not_found", `There is no event ${id}.`, hint, { event: id });
    },
    async list(conversation, { cursor, ...options } = {}) {
      const limit = readLimit(options.limit);
      const key = keyOf(conversation);
      const before = readCursor("events", key, cursor);
      const found = await facts.events.page(key, { before, limit: limit + 1 });
      const next = nextOf(found, limit, ({ seq }) => encodeCursor("events", key, seq));
      return { events: found.slice(0, limit).map(describeEvent), cursor: next };
    },
  };
}

function keyOf(id: string): string {
  const [, key] = /^cnv_([0-9a-f]{64})$/.exec(id) ?? [];
  if (key) return key;
  const hint = "It looks like cnv_…; GET /host/conversations lists those there are.";
  throw new DrydockError("conversation.not_found", `There is no conversation ${id}.`, hint, { conversation: id });
}

function readCursor(call: string, key: string, cursor: string | undefined): number | undefined {
  try {
    return decodeCursor(call, key, cursor);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new DrydockError("input.invalid", "The cursor is not one of this list.", "Begin without a cursor.");
  }
}

function readLimit(limit: number = HOST_LIMITS.pageDefaultItems): number {
  const { pageItems } = HOST_LIMITS;
  if (Number.isInteger(limit) && limit >= 1 && limit <= pageItems) return limit;
  throw new DrydockError("input.invalid", `A page has 1 to ${pageItems} entries, not ${limit}.`, "Name another limit.");
}

function nextOf<T>(found: readonly T[], limit: number, encode: (last: T) => string): string | null {
  const last = found[limit - 1];
  return found.length > limit && last ? encode(last) : null;
}

function describe({ key, events, messages, first, last }: StoredConversation): ConversationInfo {
  const { conversation, synthetic } = last.event;
  return {
    id: `${PREFIX}${key}`,
    conversationId: conversation?.conversation_id ?? "",
    threadId: conversation?.thread_id ?? null,
    botId: conversation?.bot_id ?? null,
    workspaceId: conversation?.workspace_id ?? null,
    ...{ synthetic, events, messages, createdAt: first.createdAt, lastAt: last.createdAt },
  };
}

function describeMessage(entry: TranscriptEntry): ConversationMessage {
  const { id, eventId, runId, role, content: text, message, artifacts, createdAt } = entry;
  return { id, eventId, runId, role, text, message, artifacts, createdAt };
}

function describeEvent({ id, event, outcome, runId, createdAt }: StoredEvent): EventInfo {
  const key = conversationKey(event);
  const conversation = key === null ? null : `${PREFIX}${key}`;
  return { id, type: event.type, conversation, synthetic: event.synthetic, outcome, runId, createdAt, event };
}

/** Runs of another process hear of it through the ledger. */
async function endRuns(ledger: ConversationPorts["ledger"], runs: readonly string[], endMs: number): Promise<void> {
  await ledger.recover();
  for (const runId of runs) {
    let isAsked = false;
    for (;;) {
      const run = await ledger.getRun(runId);
      if (!run || hasEnded(run)) break;
      if (!isAsked) await ledger.requests.send(runId, "cancel");
      isAsked = true;
      if (performance.now() > endMs) throw stillRunning(runId);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

/** Whose state belongs to the conversation: each agent that answered in it, with the runner that it had then. */
async function listOwners(
  ledger: ConversationPorts["ledger"],
  runs: readonly string[],
  { last: { event } }: StoredConversation,
): Promise<string[]> {
  const owners = new Set<string>();
  for (const runId of runs) {
    const [created] = await ledger.events(runId, { limit: 1 });
    const { agent } = Object(created?.data.request) as { agent?: { name: string; runner: string } };
    if (!agent) continue;
    const { bot_id: botId = null, workspace_id: workspaceId = null } = event.conversation ?? {};
    const snapshot = { runnerId: agent.runner, agent: agent.name, botId, workspaceId };
    owners.add(`state:${stateScopeKey("conversation", snapshot, event)}`);
  }
  return [...owners];
}

function stillUsed(conversation: string): DrydockError {
  const hint = "Nothing was deleted. Try again when nobody writes in it.";
  const message = `Events of the conversation ${conversation} go on coming through another process.`;
  return new DrydockError("limit.concurrency", message, hint, { conversation });
}

function stillRunning(runId: string): DrydockError {
  const hint = "Nothing was deleted. Try again when the run has ended.";
  return new DrydockError("limit.concurrency", `The run ${runId} of this conversation has not ended.`, hint, { runId });
}
