import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { WebSocket } from "ws";
import type { OpenLink } from "./link.ts";

/** Several large answers at once are no fault of a process that reads. */
const MAX_WAITING_BYTES = 4 * RUNNER_LIMITS.hostLineBytes;
/** A runner that is started again at this moment is waited for. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 200;

/*
 * connecting ──► connected ──► ended     each text is one message; anything else ends the connection
 *      ▲ └──────────┐ │
 *      └── closed before anything was heard: what was sent is sent again
 */
export function socketLink({ url, token }: { url: string; token: string }): OpenLink {
  return ({ onText, onLog }) => {
    const ended = Promise.withResolvers<string>();
    const giveUpMs = performance.now() + PATIENCE_MS;
    const sent: string[] = [];
    let hasHeard = false;
    let isOver = false;
    let socket: WebSocket;

    const connect = () => {
      // It was given up while the next try was waited for.
      if (isOver) return ended.resolve("The connection was given up.");
      let failure = "";
      const open = new WebSocket(url, {
        headers: { authorization: `Bearer ${token}` },
        maxPayload: RUNNER_LIMITS.lineBytes,
        perMessageDeflate: false,
      });
      socket = open;
      open.on("open", () => {
        for (const text of sent) open.send(text);
      });
      open.on("message", (data, isBinary) => {
        hasHeard = true;
        if (!isBinary) return onText(String(data), true);
        failure = "It sent something that is not text.";
        open.terminate();
      });
      open.on("error", (error) => {
        failure ||= error.message;
        onLog(`${error.message}\n`);
      });
      open.on("close", (code, reason) => {
        const mayTryAgain = failure === "" && !hasHeard && !isOver && performance.now() < giveUpMs;
        if (mayTryAgain) setTimeout(connect, RETRY_MS);
        else ended.resolve(failure || String(reason) || `The connection was closed (${code}).`);
      });
    };
    connect();
    return {
      send(text) {
        if (!hasHeard) sent.push(text);
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
        return socket.bufferedAmount <= MAX_WAITING_BYTES;
      },
      finish() {
        isOver = true;
        if (socket.readyState === WebSocket.OPEN) socket.close(1000);
        else socket.terminate();
      },
      abort() {
        isOver = true;
        socket.terminate();
      },
      ended: ended.promise,
    };
  };
}
