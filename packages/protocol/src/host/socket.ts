import * as z from "zod";
import { HostEvent } from "./event.ts";

const id = z.string().min(1).max(200);

/** What a client sends over the WebSocket of a conversation. */
export const SocketRequest = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("message"),
    /** Of the client's choice. A message that is sent again with the same id is not handled again. */
    id,
    text: z.string().min(1).max(1_000_000),
    contents: HostEvent.shape.input.unwrap().shape.contents,
    /** The agent that gets this message, whatever the bindings say. Default: that of the connection. */
    agent: id.optional(),
    actor: HostEvent.shape.actor,
  }),
  /** Ends the run of a message of this connection, or a run that its feed has named. */
  z.strictObject({ type: z.literal("cancel"), id: id.optional(), runId: id.optional() }),
  z.strictObject({ type: z.literal("ping") }),
]);
export type SocketRequest = z.infer<typeof SocketRequest>;

/** Which conversation a WebSocket is for, and after which event of its feed it begins. */
export const SocketQuery = z.strictObject({
  conversation_id: id,
  thread_id: id.optional(),
  bot_id: id.optional(),
  workspace_id: id.optional(),
  /** The agent that gets the messages, whatever the bindings say. */
  agent: id.optional(),
  after: id.optional(),
});
export type SocketQuery = z.infer<typeof SocketQuery>;

/** What a client offers as a subprotocol, so that a token may stand beside it: browsers send no other headers. */
export const SOCKET_PROTOCOL = "drydock.v1";
export const SOCKET_TOKEN_PREFIX = "bearer.";
