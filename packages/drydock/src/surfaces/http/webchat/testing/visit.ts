import { once } from "node:events";
import { WebSocket } from "ws";

export interface ChatFrame extends Record<string, unknown> {
  type: string;
}

export interface Visit {
  readonly frames: ChatFrame[];
  readonly socket: WebSocket;
  readonly visitor: string;
  readonly history: Record<string, unknown>[];
  find(fits: (frame: ChatFrame) => boolean): Promise<ChatFrame>;
  post(fields: Record<string, string | File | File[]>): Promise<{ status: number; value: Record<string, unknown> }>;
  load(id: string): Promise<Response>;
  close(): Promise<void>;
}

/** A visitor of a chat, as its page does it. */
export async function visit(url: string, token?: string, headers: Record<string, string> = {}): Promise<Visit> {
  const protocols = ["drydock.v1", ...(token === undefined ? [] : [`visitor.${token}`])];
  const socket = new WebSocket(`${url.replace("http", "ws")}/socket`, protocols, { headers });
  const frames: ChatFrame[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)) as ChatFrame);
    wake();
  });
  socket.on("close", wake);
  await once(socket, "open");
  const find: Visit["find"] = async (fits) => {
    for (;;) {
      const found = frames.find(fits);
      if (found) return found;
      if (socket.readyState === socket.CLOSED) throw new Error(`closed; it sent ${JSON.stringify(frames)}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      await promise;
      waiting.delete(resolve);
    }
  };
  const ready = await find(({ type }) => type === "ready");
  const visitor = String(ready.visitor);
  return {
    ...{ frames, socket, visitor, find, history: ready.history as Record<string, unknown>[] },
    async post(fields) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each);
      const answer = await fetch(`${url}/messages`, {
        method: "POST",
        headers: { "drydock-visitor": visitor, ...headers },
        body: form,
      });
      return { status: answer.status, value: (await answer.json()) as Record<string, unknown> };
    },
    load: (id) => fetch(`${url}/files/${id}`, { headers: { "drydock-visitor": visitor } }),
    async close() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}
