import { conversationOfVisitor, makeVisitor } from "../../../host/index.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { ServerContext } from "../server-context.ts";
import type { Upgrade } from "../socket/accept-sockets.ts";
import { CHAT_PREFIX, checkChatOrigin, findChat } from "./find-chat.ts";
import { serveWebchat } from "./serve-webchat.ts";

const SOCKET = /^([\w-]{1,100})\/socket$/;
const VISITOR_PREFIX = "visitor.";
/** One visitor has some tabs open. */
const MOST_SOCKETS = 10;

const open = new Map<string, number>();
/** How many visitors each server has. */
const crowds = new WeakMap<ServerContext, number>();

/** The WebSocket of a visitor, who shows its token as a subprotocol, or gets one. Null where the path is for something else. */
export function openChat(
  path: string,
  headers: Headers,
  offered: readonly string[],
  server: ServerContext,
): Upgrade | null {
  const id = path.startsWith(CHAT_PREFIX) ? SOCKET.exec(path.slice(CHAT_PREFIX.length))?.[1] : undefined;
  if (id === undefined) return null;
  const settings = JSON.stringify(findChat(server, id));
  checkChatOrigin(headers);
  const shown = offered.find((each) => each.startsWith(VISITOR_PREFIX))?.slice(VISITOR_PREFIX.length) ?? null;
  const visitor = shown !== null && conversationOfVisitor(shown) !== null ? shown : makeVisitor();
  const key = `${id} ${visitor}`;
  const count = open.get(key) ?? 0;
  if (count >= MOST_SOCKETS) {
    const hint = "Close some of them.";
    throw new HttpProblem(429, { code: "limit.concurrency", message: "This chat is open in too many places.", hint });
  }
  const crowd = () => crowds.get(server) ?? 0;
  if (crowd() >= server.limits.chatConnections) {
    const hint = "Try again in a minute.";
    throw new HttpProblem(503, { code: "limit.concurrency", message: "There are too many visitors now.", hint });
  }
  return {
    // A visitor whose chat has changed connects again, and is told how it is now.
    check() {
      if (JSON.stringify(findChat(server, id)) !== settings) throw changed();
    },
    attend(socket) {
      open.set(key, (open.get(key) ?? 0) + 1);
      crowds.set(server, crowd() + 1);
      socket.on("close", () => {
        crowds.set(server, crowd() - 1);
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      });
      return serveWebchat(socket, server, { id, visitor });
    },
  };
}

function changed(): HttpProblem {
  return new HttpProblem(409, { message: "The chat has changed.", hint: "Connect again." });
}
