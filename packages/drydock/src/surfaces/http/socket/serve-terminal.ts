import { BoxTerminalRequest, DrydockError, explainIssues } from "@drydock/protocol";
import type { RawData, WebSocket } from "ws";
import type * as z from "zod";
import { toDrydockError, warnOfFault } from "../guard/answer-error.ts";
import type { ServerContext } from "../server-context.ts";

/** What a client may have sent before it is read. */
const MAX_EARLY = 100;

type Terminal = Awaited<ReturnType<ServerContext["dock"]["boxes"]["openTerminal"]>>;
type Handlers = Pick<Parameters<ServerContext["dock"]["boxes"]["openTerminal"]>[1], "onData" | "onEnd">;

/**
 * A terminal in a box or in a session over a WebSocket: binary messages are keys and output, text is JSON. The shell waits for a client that
 * does not read, and ends with the connection.
 */
export async function serveTerminal(
  socket: WebSocket,
  { metrics }: Pick<ServerContext, "metrics">,
  open: (handlers: Handlers) => Promise<Terminal>,
): Promise<void> {
  const over = metrics.streaming();
  const tell = (frame: object) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  };
  const complain = (error: unknown) => {
    warnOfFault(error);
    tell({ type: "error", error: toDrydockError(error).toInfo() });
  };
  const early: [RawData, boolean][] = [];
  let take = (data: RawData, isBinary: boolean) => {
    if (early.length < MAX_EARLY) early.push([data, isBinary]);
  };
  let close = () => {};
  socket.on("close", () => {
    close();
    over();
  });
  socket.on("error", () => {});
  socket.on("message", (data, isBinary) => take(data, isBinary));
  try {
    const terminal = await open({
      onData: (bytes) =>
        new Promise((resolve) => {
          if (socket.readyState === socket.OPEN) socket.send(bytes, () => resolve());
          else resolve();
        }),
      onEnd: (status) => {
        tell({ type: "ended", status });
        socket.close();
      },
    });
    close = terminal.close;
    if (socket.readyState !== socket.OPEN) return terminal.close();
    take = (data, isBinary) => {
      try {
        if (isBinary) return terminal.write(data as Buffer);
        const request = read(data);
        if (request.type === "input") terminal.write(Buffer.from(request.text));
        else terminal.resize({ columns: request.columns, rows: request.rows });
      } catch (error) {
        complain(error);
      }
    };
    tell({ type: "ready" });
    for (const [data, isBinary] of early.splice(0)) take(data, isBinary);
  } catch (error) {
    complain(error);
    socket.close();
  }
}

function read(data: RawData): z.output<typeof BoxTerminalRequest> {
  const hint =
    'Send keys as binary messages, or {"type": "input", "text": "ls\\n"}, or {"type": "resize", "columns": 80, "rows": 24}.';
  let value: unknown;
  try {
    value = JSON.parse(String(data));
  } catch {
    throw new DrydockError("input.invalid", "This is not JSON.", hint);
  }
  const parsed = BoxTerminalRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = explainIssues(parsed.error.issues.slice(0, 5), "the message");
  throw new DrydockError("input.invalid", `The message can't be read: ${problems.join("; ")}.`, hint);
}
