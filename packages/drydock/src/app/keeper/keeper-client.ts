import type { Socket } from "node:net";
import { DrydockError, type Rollback, type SessionInfo, type SessionTotals, type StepResult } from "@drydock/protocol";
import type { SessionOptions, StepOptions } from "../sessions/api.ts";
import type { KeeperOp, KeeperParams, KeeperReply, KeeperResults } from "./messages.ts";
import { fromErrorInfo } from "./to-error-info.ts";

/** The sessions of a home, by way of its keeper. Each method fails as the dock's own would. */
export interface KeeperClient {
  open(options?: Omit<SessionOptions, "requirements" | "install">): Promise<SessionInfo>;
  list(): Promise<SessionInfo[]>;
  totals(): Promise<SessionTotals>;
  stats(sessionId: string): Promise<SessionInfo>;
  exec(sessionId: string, code: string, options?: StepOptions): Promise<StepResult>;
  rollback(sessionId: string, to?: number, options?: Pick<StepOptions, "signal">): Promise<Rollback>;
  fork(sessionId: string, count?: number, options?: Pick<StepOptions, "signal">): Promise<SessionInfo[]>;
  close(sessionId: string): Promise<void>;
  /** Ends the connection, never the sessions; a step that is under way is cancelled. */
  disconnect(): void;
}

interface Waiting extends Pick<StepOptions, "onOutput">, Pick<SessionOptions, "onReading"> {
  resolve(result: KeeperResults[KeeperOp]): void;
  reject(error: Error): void;
  onAsked(hidden: boolean): void;
}

/** A client over a socket on which the keeper has greeted. The reader of the socket passes each reply to `receive`. */
export function createKeeperClient(socket: Socket): KeeperClient & { receive(reply: KeeperReply): void } {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(keeperGone());
    waiting.clear();
  });

  function send(op: KeeperOp, params: unknown): number {
    lastId += 1;
    socket.write(`${JSON.stringify({ id: lastId, op, params })}\n`);
    return lastId;
  }

  async function ask<Op extends KeeperOp>(
    op: Op,
    params: KeeperParams<Op>,
    { signal, onOutput, onInput, onReading }: StepOptions & Pick<SessionOptions, "onReading"> = {},
  ): Promise<KeeperResults[Op]> {
    if (socket.destroyed) throw keeperGone();
    const id = send(op, params);
    const answer = Promise.withResolvers<KeeperResults[KeeperOp]>();
    const over = new AbortController();
    const onAsked = async (hidden: boolean) => {
      // Who can't answer any more has no more to say: the step reads the end of its input.
      const text = (await onInput?.({ hidden, signal: over.signal }).catch(() => null)) ?? null;
      if (!over.signal.aborted && !socket.destroyed) send("input", { target: id, text });
    };
    waiting.set(id, { resolve: answer.resolve, reject: answer.reject, onOutput, onReading, onAsked });
    const cancel = () => send("cancel", { target: id });
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return (await answer.promise) as KeeperResults[Op];
    } finally {
      over.abort();
      signal?.removeEventListener("abort", cancel);
      waiting.delete(id);
    }
  }

  return {
    open: ({ language, workspace, policy, ...waits } = {}) => ask("open", { language, workspace, policy }, waits),
    list: () => ask("list", {}),
    totals: () => ask("totals", {}),
    stats: (sessionId) => ask("stats", { sessionId }),
    exec: (sessionId, code, { policy, unsafe, parentRunId, stdin, ...waits } = {}) => {
      const asks = waits.onInput !== undefined;
      return ask("exec", { sessionId, code, policy, unsafe, parentRunId, stdin: readText(stdin), asks }, waits);
    },
    rollback: (sessionId, to, options) => ask("rollback", { sessionId, to }, options),
    fork: (sessionId, count, options) => ask("fork", { sessionId, count }, options),
    close: async (sessionId) => {
      await ask("close", { sessionId });
    },
    disconnect: () => socket.destroy(),
    receive(reply) {
      if ("keeper" in reply) return;
      const request = reply.id === null ? undefined : waiting.get(reply.id);
      if ("output" in reply) request?.onOutput?.(reply.output);
      else if ("reading" in reply) request?.onReading?.(reply.reading);
      else if ("input" in reply) request?.onAsked(reply.input.hidden);
      else if ("result" in reply) request?.resolve(reply.result);
      else if (request) request.reject(fromErrorInfo(reply.error));
      else for (const { reject } of waiting.values()) reject(fromErrorInfo(reply.error));
    },
  };
}

/** One line of JSON carries it. */
function readText(stdin: StepOptions["stdin"]): string | undefined {
  if (stdin === undefined || typeof stdin === "string") return stdin;
  const hint = "Read it into a text, or answer with `onInput`.";
  throw new DrydockError("input.invalid", "The keeper takes a step's input as text.", hint);
}

function keeperGone(): DrydockError {
  const hint = "The sessions that it held are gone. Open a new one: drydock session open.";
  return new DrydockError("internal", "The session keeper ended before it answered.", hint);
}
