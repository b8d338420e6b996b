import type { Socket } from "node:net";

const MAX_BYTES = 200;
const OPENING = /^DRYDOCK ([A-Za-z0-9_-]+)$/;

/** Reads `DRYDOCK <token>\n`, puts back what follows it, and gives the token; null when it is not that, or late. */
export function readOpeningLine(socket: Socket, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const finish = (token: string | null): void => {
      clearTimeout(timer);
      socket.off("readable", onReadable).off("close", onClose).off("end", onClose);
      resolve(token);
    };
    const onClose = (): void => finish(null);
    const onReadable = (): void => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        received = Buffer.concat([received, chunk]);
        const end = received.subarray(0, MAX_BYTES).indexOf("\n");
        if (end !== -1) {
          const rest = received.subarray(end + 1);
          finish(OPENING.exec(received.toString("latin1", 0, end))?.[1] ?? null);
          if (rest.length > 0) socket.unshift(rest);
          return;
        }
        if (received.length >= MAX_BYTES) {
          finish(null);
          return;
        }
      }
    };
    const timer = setTimeout(() => finish(null), timeoutMs);
    socket.on("readable", onReadable).on("close", onClose).on("end", onClose);
  });
}
