import type { HostApi, Message, RunnerContext } from "@drydock/runner-sdk";
import { estimateTokens } from "./count-tokens.ts";

/** One message of the conversation, as models are told of it. */
export interface Said {
  seq: number;
  message: Message;
  tokens: number;
}

const PAGE_ITEMS = 100;
const MAX_PAGES = 20;
const ROLES = ["system", "user", "assistant"];

/**
 * What was said before this event and after `afterSeq`, the oldest first. It stops where `maxTokens` are reached, or after
 * 2,000 messages: what is older than that is left out.
 */
export async function readHistory(
  ctx: RunnerContext,
  api: HostApi,
  { afterSeq, maxTokens }: { afterSeq: number; maxTokens: number },
): Promise<Said[]> {
  const said: Said[] = [];
  if (!ctx.context.available_apis.history_page) return said;
  let tokens = 0;
  let before_cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next_cursor } = await api.history_page({ limit: PAGE_ITEMS, before_cursor, direction: "backward" });
    for (const item of items) {
      if ((item.seq ?? 0) <= afterSeq) return said.reverse();
      // The message that is being answered is no history.
      if (item.event_id === ctx.event.event_id && item.role === "user") continue;
      const next = toSaid(item);
      if (!next) continue;
      if (tokens + next.tokens > maxTokens) return said.reverse();
      tokens += next.tokens;
      said.push(next);
    }
    if (next_cursor === null) return said.reverse();
    before_cursor = next_cursor;
  }
  return said.reverse();
}

type Item = Awaited<ReturnType<HostApi["history_page"]>>["items"][number];

/** `content` is cut; the whole is in `content_json`. Pictures of earlier messages are not sent again. */
function toSaid({ seq, role, content, content_json }: Item): Said | null {
  const whole = Object(content_json).content;
  const text = typeof whole === "string" ? whole : content;
  if (!text || !ROLES.includes(role)) return null;
  return { seq: seq ?? 0, message: { role: role as Message["role"], content: text }, tokens: estimateTokens(text) };
}

export function sumTokens(said: readonly Said[]): number {
  return said.reduce((sum, { tokens }) => sum + tokens, 0);
}
