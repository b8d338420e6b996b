import type { DrydockError } from "@drydock/client";
import type { FeedEvent, SendResult } from "@drydock/protocol";
import { client, toError } from "./client.ts";
import { type ChatTurn, foldChat } from "./fold-chat.ts";

/*
 * One conversation while pages show it. What happens comes from its feed: first all that the server still keeps, then what is
 * new. Where the connection breaks, it is made again from the last event; a message that was not accepted yet is sent again
 * with the same id, which is handled once.
 *
 * sending ──► accepted ──► a turn of the feed
 *      └────► refused      it stays, with the reason, until it is sent again or taken away
 */
export interface ChatIdentity {
  conversation_id: string;
  thread_id?: string;
  bot_id?: string;
  workspace_id?: string;
}

/** A file that goes with a message. */
export interface Attachment {
  name: string;
  mime: string;
  size: number;
  /** `data:…;base64,…` */
  url: string;
}

export interface Outgoing {
  id: string;
  text: string;
  /** Null: as the bindings say. */
  agent: string | null;
  attachments: readonly Attachment[];
  /** Null until it is on record. */
  eventId: string | null;
  error: DrydockError | null;
}

export interface ChatState {
  turns: readonly ChatTurn[];
  outgoing: readonly Outgoing[];
  connection: "open" | "waiting";
  /** How often the conversation has changed on record: with each change its transcript is read again. */
  changes: number;
  /** Why events reached no agent, by their ids. */
  reasons: Readonly<Record<string, string>>;
}

type OpenConversation = ReturnType<typeof client.host.conversations.open>;

export interface Chat {
  readonly identity: ChatIdentity;
  subscribe(listener: () => void): () => void;
  get(): ChatState;
  /** Follows until it is stopped. What was seen stays. */
  start(): () => void;
  send(message: Pick<Outgoing, "text" | "agent" | "attachments">): void;
  sendAgain(id: string): void;
  takeAway(id: string): void;
}

/** No cursor of a feed: the server gives all that it keeps. */
const BEGINNING = "beginning";
/** What the client says of a connection that could not be made again. */
const UNREACHABLE = "sandbox.unavailable";
const PAUSES_MS = [500, 1000, 2000, 5000];
/** What comes in quick succession is shown together. */
const GATHER_MS = 50;
const ACTOR = { actor_type: "user", actor_id: "console", metadata: {} };
const RECORDED: readonly FeedEvent["type"][] = [
  "feed.reset",
  "event.absorbed",
  "run.started",
  "message.completed",
  "run.ended",
];
const EMPTY: ChatState = { turns: [], outgoing: [], connection: "open", changes: 0, reasons: {} };

const chats = new Map<string, Chat>();

/** The same object for the same conversation: a page that is left and opened again goes on with it. */
export function openChat(identity: ChatIdentity): Chat {
  const key = JSON.stringify([identity.conversation_id, identity.thread_id, identity.bot_id, identity.workspace_id]);
  const chat = chats.get(key) ?? createChat(identity);
  chats.set(key, chat);
  return chat;
}

function createChat(identity: ChatIdentity): Chat {
  let state = EMPTY;
  let conversation: OpenConversation | null = null;
  let last = BEGINNING;
  const gathered: FeedEvent[] = [];
  let timer: number | undefined;
  const listeners = new Set<() => void>();
  const set = (change: Partial<ChatState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const change = (id: string, part: Partial<Outgoing>) =>
    set({ outgoing: state.outgoing.map((each) => (each.id === id ? { ...each, ...part } : each)) });
  const takeAway = (id: string) => set({ outgoing: state.outgoing.filter((each) => each.id !== id) });

  function flush(): void {
    window.clearTimeout(timer);
    timer = undefined;
    const events = gathered.splice(0);
    if (events.length === 0) return;
    const turns = events.reduce(foldChat, state.turns);
    const recorded = events.filter(({ type }) => RECORDED.includes(type)).length;
    const shown = new Set(turns.map(({ eventId }) => eventId));
    const outgoing = state.outgoing.filter(({ eventId }) => eventId === null || !shown.has(eventId));
    set({ turns, outgoing, connection: "open", changes: state.changes + recorded });
  }

  function gather(event: FeedEvent): void {
    last = event.cursor;
    gathered.push(event);
    timer ??= window.setTimeout(flush, GATHER_MS);
  }

  function settle(result: SendResult): void {
    if (result.kind !== "unbound" && result.kind !== "discarded") return;
    const { eventId, kind, reason } = result;
    flush();
    const turns = state.turns.map((turn) => (turn.eventId === eventId ? { ...turn, taken: kind } : turn));
    set({ turns, reasons: { ...state.reasons, [eventId]: reason }, changes: state.changes + 1 });
  }

  async function post({ id, text, agent, attachments }: Outgoing, over: OpenConversation): Promise<void> {
    const parts = attachments.map(({ url }) => ({ type: "image_url" as const, image_url: { url } }));
    const contents = parts.length === 0 || text === "" ? parts : [{ type: "text" as const, text }, ...parts];
    const onAccepted = (eventId: string) => {
      change(id, { eventId });
      flush();
    };
    try {
      settle(await over.send(text, { id, contents, actor: ACTOR, onAccepted, ...(agent !== null && { agent }) }));
      takeAway(id);
    } catch (error) {
      const failure = toError(error);
      // The connection went: a message that is not on record is sent again over the next one.
      if (over !== conversation || failure.code === UNREACHABLE) return;
      change(id, { error: failure });
    }
  }

  async function follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const opened = client.host.conversations.open({ ...identity, after: last }, { signal });
      conversation = opened;
      const unsent = state.outgoing.filter(({ eventId, error }) => eventId === null && error === null);
      for (const each of unsent) void post(each, opened);
      try {
        for await (const event of opened.events()) {
          failures = 0;
          gather(event);
        }
      } catch {
        set({ connection: "waiting" });
      }
      if (conversation === opened) conversation = null;
      if (!signal.aborted) await pause(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)] ?? 0, signal);
    }
  }

  return {
    identity,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => state,
    start() {
      const stopped = new AbortController();
      void follow(stopped.signal);
      return () => {
        conversation = null;
        stopped.abort();
        flush();
      };
    },
    send(message) {
      const fresh: Outgoing = { ...message, id: crypto.randomUUID(), eventId: null, error: null };
      set({ outgoing: [...state.outgoing, fresh] });
      if (conversation) void post(fresh, conversation);
    },
    sendAgain(id) {
      const message = state.outgoing.find((each) => each.id === id);
      if (!message) return;
      change(id, { error: null });
      if (conversation) void post({ ...message, error: null }, conversation);
    },
    takeAway,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = window.setTimeout(done, ms);
    signal.addEventListener(
      "abort",
      () => {
        window.clearTimeout(timer);
        done();
      },
      { once: true },
    );
  });
}
