import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";
import type { DrydockServer } from "../../index.ts";

export interface Frame extends Record<string, unknown> {
  type: string;
}

export interface Connection {
  readonly socket: WebSocket;
  readonly frames: Frame[];
  send(frame: object): void;
  /** The first frame that fits, once it is there. */
  find(fits: (frame: Frame) => boolean): Promise<Frame>;
  result(id: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** A client of a conversation, over a real socket. */
export async function connect(
  { url, token }: Pick<DrydockServer, "url" | "token">,
  query: Record<string, string>,
  options: ClientOptions & { protocols?: string[] } = {},
): Promise<Connection> {
  const { protocols = [], ...rest } = options;
  const headers: Record<string, string> =
    token === null || protocols.length > 0 ? {} : { authorization: `Bearer ${token}` };
  const address = `${url.replace("http", "ws")}/host/socket?${new URLSearchParams(query)}`;
  const socket = new WebSocket(address, protocols, { ...rest, headers: { ...headers, ...rest.headers } });
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    for (const wake of waiting) wake();
  });
  socket.on("close", () => {
    for (const wake of waiting) wake();
  });
  await once(socket, "open");
  const find: Connection["find"] = async (fits) => {
    for (;;) {
      const found = frames.find(fits);
      if (found) return found;
      if (socket.readyState === socket.CLOSED) throw new Error(`closed; it sent ${JSON.stringify(frames)}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  };
  return {
    ...{ socket, frames, find },
    send: (frame) => socket.send(JSON.stringify(frame)),
    async result(id) {
      return (await find((frame) => frame.type === "result" && frame.id === id)).result as Record<string, unknown>;
    },
    async close() {
      if (socket.readyState === socket.CLOSED) return;
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

/** The status that a connection is refused with, and the error. */
export function refusal(...args: Parameters<typeof connect>): Promise<{ status: number; error: unknown }> {
  const [{ url, token }, query, { protocols = [], ...rest } = {}] = args;
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const address = `${url.replace("http", "ws")}/host/socket?${new URLSearchParams(query)}`;
  const socket = new WebSocket(address, protocols, { ...rest, headers: { ...headers, ...rest.headers } });
  return new Promise((resolve, reject) => {
    socket.on("open", () => reject(new Error("it was let in")));
    socket.on("error", () => {});
    socket.on("unexpected-response", async (_request, response) => {
      const text = (await response.setEncoding("utf8").toArray()).join("");
      resolve({ status: response.statusCode ?? 0, error: (JSON.parse(text) as { error: unknown }).error });
    });
  });
}
