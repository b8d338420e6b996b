import { RUNNER_LIMITS, RUNNER_SOCKET } from "@drydock/protocol/runner";
import type { HostChannel } from "./serve-channel.ts";

export interface SocketChannel extends Pick<HostChannel, "lines" | "send"> {
  /** Whether the host has said that it wants no further connection. */
  isOver(): boolean;
  close(): void;
}

/** What Node has beside what browsers have. */
type Open = new (url: string, options: { headers: Record<string, string> }) => WebSocket;

/** Connects to a host, whose messages are texts of a WebSocket. Rejects where it can't be reached or wants another token. */
export async function connectSocket(url: string, token: string): Promise<SocketChannel> {
  const socket = new (WebSocket as unknown as Open)(url, { headers: { authorization: `Bearer ${token}` } });
  const waiting: (string | null)[] = [];
  let wake = () => {};
  let closeCode: number | null = null;
  socket.addEventListener("message", ({ data }) => {
    const isTooLong = typeof data !== "string" || Buffer.byteLength(data) > RUNNER_LIMITS.hostLineBytes;
    waiting.push(isTooLong ? null : data);
    wake();
  });
  socket.addEventListener("close", ({ code }) => {
    closeCode = code;
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`The host at ${url} does not take this connection.`)));
  });
  async function* read(): AsyncGenerator<string | null> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (closeCode !== null) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    lines: read(),
    send(line) {
      if (socket.readyState === WebSocket.OPEN) socket.send(line);
    },
    isOver: () => closeCode === RUNNER_SOCKET.overCode,
    close: () => socket.close(1000),
  };
}
