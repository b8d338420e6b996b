import { DrydockError, explainIssues, type SocketQuery, SocketRequest } from "@drydock/protocol";
import type { RawData, WebSocket } from "ws";
import { toDrydockError, warnOfFault } from "../guard/answer-error.ts";
import { orLater } from "../route/or-later.ts";
import type { ServerContext } from "../server-context.ts";
import { createMessages, type Messages } from "./send-messages.ts";

const NOT_TEXT = 1003;

/*
 * open ──► closed     by either side, by silence, or by the server's end
 *
 * What happens in the conversation is read from its feed, which outlives the connection: a client that comes back names
 * the last cursor that it has seen. Runs go on when the connection is gone.
 */
export async function serveConversation(socket: WebSocket, server: ServerContext, query: SocketQuery): Promise<void> {
  const { dock, limits, metrics } = server;
  const { conversations } = dock.host;
  const gone = new AbortController();
  const over = metrics.streaming();
  const tell = (frame: object): Promise<void> =>
    new Promise((resolve) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame), () => resolve());
      else resolve();
    });
  const complain = (error: unknown, id?: string) => {
    warnOfFault(error);
    void tell({ type: "error", ...(id !== undefined && { id }), error: toDrydockError(error).toInfo() });
  };
  const messages = createMessages(server, query, tell);
  socket.on("close", () => {
    gone.abort();
    messages.close();
    over();
  });
  // A frame that is too large, or not one at all: the library closes the connection with the code for it.
  socket.on("error", () => {});
  socket.on("message", (data, isBinary) => {
    if (isBinary) return socket.close(NOT_TEXT, "Send text: one JSON value a message.");
    let id: string | undefined;
    const work = async () => {
      const value = parse(data);
      const { id: named } = Object(value) as { id?: unknown };
      if (typeof named === "string") id = named;
      await act(check(value), messages, tell);
    };
    work().catch((error: unknown) => complain(error, id));
  });

  try {
    const { agent: _agent, after, ...conversation } = query;
    const id = (await conversations.idOf({ conversation, synthetic: false })) ?? "";
    const cursor = after ?? (await conversations.latest(id));
    await tell({ type: "ready", conversation: id, cursor });
    for await (const events of conversations.follow(id, { after: cursor, signal: gone.signal })) {
      // A reader that takes nothing is left: it comes back with its cursor.
      const taken = Promise.all(events.map((event) => tell(event)));
      if ((await orLater(taken, limits.stallMs)) === "later") return socket.terminate();
      messages.passed(events);
    }
  } catch (error) {
    complain(error);
    socket.close();
  }
}

async function act(request: SocketRequest, messages: Messages, tell: (frame: object) => Promise<void>): Promise<void> {
  switch (request.type) {
    case "message":
      return messages.send(request);
    case "cancel":
      return messages.cancel(request);
    case "ping":
      return tell({ type: "pong" });
    default:
      request satisfies never;
  }
}

function parse(data: RawData): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    throw new DrydockError("input.invalid", "This is not JSON.", "Send one JSON value a message.");
  }
}

function check(value: unknown): SocketRequest {
  const read = SocketRequest.safeParse(value);
  if (read.success) return read.data;
  const problems = explainIssues(read.error.issues.slice(0, 5), "the message");
  const hint = 'Send {"type": "message", "id": "1", "text": "…"}, or a cancel or a ping.';
  throw new DrydockError("input.invalid", `The message can't be read: ${problems.join("; ")}.`, hint, { problems });
}
