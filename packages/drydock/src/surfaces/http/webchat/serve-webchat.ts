import type { ConversationMessage, FeedEvent } from "@drydock/protocol";
import type { WebSocket } from "ws";
import { conversationOfVisitor } from "../../../host/index.ts";
import { warnOfFault } from "../guard/answer-error.ts";
import { orLater } from "../route/or-later.ts";
import type { ServerContext } from "../server-context.ts";
import { findChat, idOfConversation } from "./find-chat.ts";
import { createSayings, type Sayings } from "./sayings.ts";

const GOING_AWAY = 1001;
const HISTORY = 50;

/*
 * open ──► closed     by either side, by silence, or because the source is closed
 *
 * A visitor is told first what was said so far, and then what happens. Whoever comes back is told the same again: there is
 * nothing that a broken connection could lose.
 */
export async function serveWebchat(
  socket: WebSocket,
  server: ServerContext,
  { id, visitor }: { id: string; visitor: string },
): Promise<void> {
  const { dock, limits, metrics } = server;
  const { conversations } = dock.host;
  const gone = new AbortController();
  const over = metrics.streaming();
  const tell = (frame: object): Promise<void> =>
    new Promise((resolve) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame), () => resolve());
      else resolve();
    });
  let running: string | null = null;
  socket.on("close", () => {
    gone.abort();
    over();
  });
  socket.on("error", () => {});
  socket.on("message", (data) => {
    // The one thing that a visitor can say here: stop.
    if (running !== null && String(data).includes('"stop"')) void dock.runs.cancel(running).catch(() => {});
  });
  try {
    const { name, title, greeting, files } = findChat(server, id);
    const key = await idOfConversation(server, name, conversationOfVisitor(visitor) ?? "");
    const seen = await conversations.feed(key).catch(() => []);
    const cursor = seen.at(-1)?.cursor ?? (await conversations.latest(key));
    const sayings = createSayings();
    const history = await readHistory(server, key, sayings);
    await tell({ type: "ready", visitor, title, greeting, files, history });
    for (const frame of sayings.catchUp(seen)) await tell(frame);
    running = sayings.running();
    for await (const events of conversations.follow(key, { after: cursor, signal: gone.signal })) {
      if (events.some(({ type }) => type === "feed.reset"))
        await tell({ type: "reset", history: await readHistory(server, key, sayings) });
      // A reader that takes nothing is left: it comes back, and is told everything again.
      const taken = Promise.all(events.flatMap((event: FeedEvent) => sayings.read(event)).map(tell));
      if ((await orLater(taken, limits.stallMs)) === "later") return socket.terminate();
      running = sayings.running();
    }
  } catch (error) {
    warnOfFault(error);
    socket.close(GOING_AWAY);
  }
}

/** What was said last, the oldest first. A conversation that has not begun has none. */
async function readHistory({ dock }: Pick<ServerContext, "dock">, key: string, sayings: Sayings): Promise<object[]> {
  const { conversations, events } = dock.host;
  const { messages } = await conversations
    .messages(key, { limit: HISTORY })
    .catch(() => ({ messages: [] as ConversationMessage[] }));
  const known = await events.list(key, { limit: HISTORY }).catch(() => ({ events: [] }));
  return sayings.begin(messages.toReversed(), known.events);
}
