import type { FeedEvent, RunEvent, SocketQuery } from "@drydock/protocol";
import { type ClientOptions, createCaller } from "./call-operation.ts";
import { deriveMethods, type Methods } from "./derive-methods.ts";
import { type FollowConversationOptions, followConversation } from "./follow-conversation.ts";
import { type FollowOptions, followRun } from "./follow-run.ts";
import { type OpenConversation, openConversation } from "./open-conversation.ts";
import { openTerminal, type Terminal, type TerminalOptions } from "./open-terminal.ts";
import { type ByteRange, readArtifact } from "./read-artifact.ts";

type Host = Methods["host"];

/** All methods are derived from the operations, but for those whose answers are no single JSON value. */
export interface Client extends Omit<Methods, "runs" | "host" | "boxes" | "sessions"> {
  readonly boxes: Methods["boxes"] & {
    /** A shell in a box that is open, over a WebSocket. */
    terminal(id: string, options: TerminalOptions): Promise<Terminal>;
  };
  readonly sessions: Methods["sessions"] & {
    /** A shell in a session, over a WebSocket. It is a step of the session: others wait until it is left. */
    terminal(id: string, options: TerminalOptions): Promise<Terminal>;
  };
  readonly runs: Methods["runs"] & {
    /** Events as they are recorded, each once and in order, also where the connection breaks. */
    follow(id: string, options?: FollowOptions): AsyncGenerator<RunEvent>;
  };
  readonly host: Omit<Host, "conversations"> & {
    readonly conversations: Host["conversations"] & {
      /** What happens in a conversation, each once and in order, also where the connection breaks. Over server-sent events. */
      follow(id: string, options?: FollowConversationOptions): AsyncGenerator<FeedEvent>;
      /** The same over a WebSocket, with messages in the other direction. */
      open(query: SocketQuery, options?: { signal?: AbortSignal }): OpenConversation;
    };
  };
  /** An artifact's bytes, or those from `start` up to, not including, `end`. */
  readArtifact(id: string, range?: ByteRange, signal?: AbortSignal): Promise<Uint8Array>;
}

/** A typed client of a server that `drydock serve` started. What the server refuses is thrown as a DrydockError. */
export function createClient(options: ClientOptions = {}): Client {
  const caller = createCaller(options);
  const methods = deriveMethods(caller);
  const { host } = methods;
  return {
    ...methods,
    boxes: {
      ...methods.boxes,
      terminal: (id, terminalOptions) => openTerminal(options, { kind: "boxes", id }, terminalOptions),
    },
    sessions: {
      ...methods.sessions,
      terminal: (id, terminalOptions) => openTerminal(options, { kind: "sessions", id }, terminalOptions),
    },
    runs: { ...methods.runs, follow: (id, followOptions) => followRun(caller, id, followOptions) },
    host: {
      ...host,
      conversations: {
        ...host.conversations,
        follow: (id, followOptions) => followConversation(caller, id, followOptions),
        open: (query, openOptions) => openConversation(options, query, openOptions),
      },
    },
    readArtifact: (id, range, signal) => readArtifact(caller, id, range, signal),
  };
}
