import type { HostApi, Message, RunnerContext } from "@drydock/runner-sdk";
import { estimateTokens } from "./count-tokens.ts";

/** One message of the conversation, as models are told of it. */
export interface Said {
  seq: number;
  /** Its place in the history. */
  cursor: string | null;
  message: Message;
  tokens: number;
}

export interface Reading {
  /** The oldest first. */
  said: Said[];
  /** Whether it goes as far as was asked for. If not, there is more than was read. */
  isWhole: boolean;
}

const PAGE_ITEMS = 100;
const MAX_PAGES = 20;
/** The newest message may be longer than all are to be. */
const NEWEST_SHARE = 4;
const ROLES = ["system", "user", "assistant"];

/**
 * What was said last: before this event and after `afterSeq`. It stops before `maxTokens` are exceeded, or after 2,000 messages.
 */
export async function readRecent(
  ctx: RunnerContext,
  api: HostApi,
  { afterSeq, maxTokens }: { afterSeq: number; maxTokens: number },
): Promise<Reading> {
  const said: Said[] = [];
  if (!ctx.context.available_apis.history_page) return { said, isWhole: true };
  let tokens = 0;
  let isAnswered = false;
  for await (const item of readPages(api, "backward", null)) {
    if (item === null) return { said: said.reverse(), isWhole: false };
    if ((item.seq ?? 0) <= afterSeq) break;
    // The newest message of this event is the one that is being answered, which is no history.
    if (!isAnswered && item.event_id === ctx.event.event_id && item.role === "user") {
      isAnswered = true;
      continue;
    }
    const next = toSaid(item);
    if (!next) continue;
    const room = said.length === 0 ? maxTokens * NEWEST_SHARE : maxTokens;
    if (tokens + next.tokens > room) return { said: said.reverse(), isWhole: false };
    tokens += next.tokens;
    said.push(next);
  }
  return { said: said.reverse(), isWhole: true };
}

/** What was said first: after a place of the history and before `beforeSeq`. A message counts for `mostTokens` at most. */
export async function readOlder(
  api: HostApi,
  {
    after,
    beforeSeq,
    maxTokens,
    mostTokens,
  }: Record<"beforeSeq" | "maxTokens" | "mostTokens", number> & {
    after: string | null;
  },
): Promise<Reading> {
  const said: Said[] = [];
  let tokens = 0;
  for await (const item of readPages(api, "forward", after)) {
    if (item === null) return { said, isWhole: false };
    if ((item.seq ?? 0) >= beforeSeq) break;
    const next = toSaid(item);
    if (!next) continue;
    tokens += Math.min(next.tokens, mostTokens);
    if (tokens > maxTokens && said.length > 0) return { said, isWhole: false };
    said.push(next);
  }
  return { said, isWhole: true };
}

type Item = Awaited<ReturnType<HostApi["history_page"]>>["items"][number];

/** Null where there are more messages than are read. */
async function* readPages(
  api: HostApi,
  direction: "backward" | "forward",
  from: string | null,
): AsyncGenerator<Item | null> {
  let cursor = from;
  for (let page = 0; page < MAX_PAGES; page++) {
    const place = direction === "forward" ? { after_cursor: cursor } : { before_cursor: cursor };
    const { items, next_cursor } = await api.history_page({ limit: PAGE_ITEMS, ...place, direction });
    yield* items;
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
  yield null;
}

/** `content` is cut; the whole is in `content_json`. Pictures of earlier messages are not sent again. */
function toSaid({ seq, cursor, role, content, content_json }: Item): Said | null {
  const whole = Object(content_json).content;
  const text = typeof whole === "string" ? whole : content;
  if (!text || !ROLES.includes(role)) return null;
  const message = { role: role as Message["role"], content: text };
  return { seq: seq ?? 0, cursor: cursor ?? null, message, tokens: estimateTokens(text) };
}

export function sumTokens(said: readonly Said[]): number {
  return said.reduce((sum, { tokens }) => sum + tokens, 0);
}
