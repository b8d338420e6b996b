import { HttpProblem } from "../guard/http-problem.ts";
import type { ServerContext } from "../server-context.ts";

export const CHAT_PREFIX = "/chat/";

export interface Chat {
  /** The source. */
  name: string;
  title: string;
  greeting: string | null;
  files: boolean;
  origins: string[];
}

/** The chat of an address, as long as its source runs. */
export function findChat({ sources }: Pick<ServerContext, "sources">, id: string): Chat {
  const found = sources.find(CHAT_PREFIX, id);
  if (!found) throw new HttpProblem(404, { message: "There is no such chat.", hint: "It may be closed." });
  const {
    title,
    greeting = null,
    files,
    origins,
  } = found.settings as Omit<Chat, "name" | "greeting"> & {
    greeting?: string;
  };
  return { name: found.name, title, greeting, files, origins };
}

/** A browser names the page that a request comes from: it must be one of this server. Other pages have the chat in a frame. */
export function checkChatOrigin(headers: Headers): void {
  const origin = headers.get("origin");
  if (origin === null || (URL.canParse(origin) && new URL(origin).host === headers.get("host"))) return;
  throw new HttpProblem(403, {
    code: "policy.network_denied",
    message: `A page of ${origin} may not write to this chat.`,
    hint: "Embed the chat with its script: it comes in a frame of its own.",
  });
}

/** The id here of a visitor's conversation. */
export async function idOfConversation(
  { dock }: Pick<ServerContext, "dock">,
  source: string,
  visitor: string,
): Promise<string> {
  const conversation = { conversation_id: visitor, bot_id: source };
  return (await dock.host.conversations.idOf({ conversation, synthetic: false })) ?? "";
}
