import { DrydockError, type ErrorInfo } from "@drydock/protocol";
import type { ClientOptions } from "./call-operation.ts";
import { addressOf, protocolsOf } from "./socket-address.ts";

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  onData(bytes: Uint8Array): void;
  /** Called once, when the shell has ended or the connection is gone. The status is null where none is known. */
  onEnd?(status: number | null): void;
}

/** A shell in a box or a session. It ends with the connection. */
export interface Terminal {
  write(keys: string | Uint8Array<ArrayBuffer>): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

type Frame = { type: "ready" } | { type: "ended"; status: number | null } | { type: "error"; error: ErrorInfo };

/** Resolves when the shell has started. What the server refuses is thrown as a DrydockError. */
export function openTerminal(
  client: ClientOptions,
  place: { kind: "boxes" | "sessions"; id: string },
  { columns, rows, onData, onEnd }: TerminalOptions,
): Promise<Terminal> {
  const { promise, resolve, reject } = Promise.withResolvers<Terminal>();
  const address = addressOf(client, `/${place.kind}/${encodeURIComponent(place.id)}/terminal`, { columns, rows });
  const socket = new WebSocket(address, protocolsOf(client));
  socket.binaryType = "arraybuffer";
  let status: number | null = null;
  let isReady = false;
  const terminal: Terminal = {
    write: (keys) => socket.send(typeof keys === "string" ? new TextEncoder().encode(keys) : keys),
    resize: (width, height) => socket.send(JSON.stringify({ type: "resize", columns: width, rows: height })),
    close: () => socket.close(),
  };
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) return onData(new Uint8Array(data));
    const frame = JSON.parse(String(data)) as Frame;
    if (frame.type === "ready") {
      isReady = true;
      resolve(terminal);
    } else if (frame.type === "ended") status = frame.status;
    else if (!isReady) {
      const { code, message, hint, ...facts } = frame.error;
      reject(new DrydockError(code, message, hint, facts));
    }
  };
  socket.onerror = () => {};
  socket.onclose = () => {
    if (isReady) return onEnd?.(status);
    const hint = "Start the server with `drydock serve`, or correct the client's baseUrl and token.";
    reject(new DrydockError("sandbox.unavailable", `The terminal of ${place.id} could not be opened.`, hint));
  };
  return promise;
}
