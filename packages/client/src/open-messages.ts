import { DrydockError, ErrorInfo, type SendResult, type SocketRequest } from "@drydock/protocol";

type Message = Extract<SocketRequest, { type: "message" }>;

export interface SendOptions extends Partial<Pick<Message, "contents" | "actor" | "agent">> {
  /** A message that is sent again with the same id is not handled again. Default: a new one. */
  id?: string;
  /** Cancels the run of the message. */
  signal?: AbortSignal;
  /** The message is on record, as this event. */
  onAccepted?(eventId: string): void;
}

/** Messages of a conversation that are not answered yet. */
export interface OpenMessages {
  add(text: string, options: SendOptions): Promise<SendResult>;
  /** There is a connection again: all of them are sent, with the ids that they have. */
  sendAll(): void;
  accept(id: string, eventId: string): void;
  answer(id: string, answer: { result?: SendResult; error?: unknown }): void;
  rejectAll(error: Error): void;
}

interface Waiting {
  request: Message;
  signal: AbortSignal | undefined;
  onAccepted: SendOptions["onAccepted"];
  resolve(result: SendResult): void;
  reject(error: Error): void;
}

/** `tell` sends a request where there is a connection, and does nothing where there is none. */
export function createOpenMessages(tell: (request: SocketRequest) => void): OpenMessages {
  const waiting = new Map<string, Waiting>();
  const send = ({ request, signal }: Waiting) => {
    tell(request);
    if (signal?.aborted) tell({ type: "cancel", id: request.id });
  };
  return {
    add(text, { id = crypto.randomUUID(), contents = [], actor, agent, signal, onAccepted }) {
      const { promise, resolve, reject } = Promise.withResolvers<SendResult>();
      const request: Message = {
        type: "message",
        id,
        text,
        contents,
        ...(actor && { actor }),
        ...(agent && { agent }),
      };
      const message = { request, signal, onAccepted, resolve, reject };
      waiting.set(id, message);
      send(message);
      signal?.addEventListener("abort", () => tell({ type: "cancel", id }), { once: true });
      return promise;
    },
    sendAll() {
      for (const message of waiting.values()) send(message);
    },
    accept: (id, eventId) => waiting.get(id)?.onAccepted?.(eventId),
    answer(id, { result, error }) {
      const message = waiting.get(id);
      waiting.delete(id);
      if (result) message?.resolve(result);
      else message?.reject(toError(error));
    },
    rejectAll(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}

function toError(value: unknown): DrydockError {
  const parsed = ErrorInfo.safeParse(value);
  if (!parsed.success) return new DrydockError("internal", "The server sent no result.", "Is it of this version?");
  const { code, message, hint, ...data } = parsed.data;
  return new DrydockError(code, message, hint, data);
}
