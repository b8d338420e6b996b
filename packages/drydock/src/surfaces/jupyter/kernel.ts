/**
 * A Jupyter kernel whose cells are the steps of one session.
 *
 *     shell    one request after the other:  busy -> what it shows -> its reply -> idle
 *     control  at once, beside a cell:       interrupt, shutdown
 *     stdin    a cell waits for a line:      asks the frontend that sent it -> its reply
 *
 * A cell that fails takes along the cells that already wait behind it.
 */
import type { AnswerInput } from "../../app/index.ts";
import { type AnswerQueue, createAnswerQueue } from "../../base/waiting/index.ts";
import { completeCode, inspectCode, judgeCompleteness } from "./answer-questions.ts";
import { describeKernel } from "./describe-kernel.ts";
import { createReplies, type KernelMessage, type Replies, type Request } from "./messages.ts";
import { type CellPorts, ExecuteRequest, runCell } from "./run-cell.ts";

const MAX_HISTORY = 1000;

export interface KernelPorts extends CellPorts {
  send(answer: KernelMessage): void;
  version: string;
}

export interface Kernel {
  receive(request: Request): void;
  /** Cancels the cell that runs; variables and files are then as they were before it. */
  interrupt(): void;
  /** Resolves once the kernel has answered a shutdown request. */
  ended: Promise<void>;
}

type Content = Record<string, unknown>;

export function createKernel(ports: KernelPorts): Kernel {
  const { session, version } = ports;
  const repliesTo = createReplies(ports.send);
  const ended = Promise.withResolvers<void>();
  const history: string[] = [];
  let count = 0;
  let running: { stop: AbortController; replies: AnswerQueue<string | null> } | null = null;
  let waiting: Request[] = [];
  let isServing = false;

  async function execute(request: Request, replies: Replies): Promise<Content> {
    const cell = ExecuteRequest.parse(request.content);
    const isBlank = cell.code.trim() === "";
    if (!isBlank && cell.store_history && !cell.silent) {
      count++;
      history.push(cell.code);
      if (history.length > MAX_HISTORY) history.shift();
    }
    if (!cell.silent) replies.publish("execute_input", { code: cell.code, execution_count: count });
    if (isBlank) return { status: "ok", execution_count: count, user_expressions: {}, payload: [] };
    const stop = new AbortController();
    const answers = createAnswerQueue<string | null>();
    running = { stop, replies: answers };
    // The prompt is part of the output already.
    const onInput: AnswerInput = ({ hidden, signal }) => {
      replies.ask({ prompt: "", password: hidden });
      return answers.next(AbortSignal.any([signal, stop.signal]));
    };
    const control = { signal: stop.signal, onInput: cell.allow_stdin ? onInput : undefined };
    const failure = await runCell(ports, cell, count, replies, control);
    running = null;
    if (failure === null) return { status: "ok", execution_count: count, user_expressions: {}, payload: [] };
    if (cell.stop_on_error) abortWaiting();
    return { status: "error", execution_count: count, ...failure };
  }

  function abortWaiting(): void {
    const isCell = ({ header }: Request) => header.msg_type === "execute_request";
    for (const request of waiting.filter(isCell)) {
      announced(request, async (replies) => replies.reply({ status: "aborted", execution_count: count }));
    }
    waiting = waiting.filter((request) => !isCell(request));
  }

  function listHistory({ n }: Content): Content {
    const last = typeof n === "number" ? Math.max(0, n) : MAX_HISTORY;
    const first = count - history.length + 1;
    const lines = history.map((code, index) => [0, first + index, code]);
    return { status: "ok", history: last === 0 ? [] : lines.slice(-last) };
  }

  const shell: Record<string, (request: Request, replies: Replies) => Promise<Content> | Content> = {
    execute_request: execute,
    kernel_info_request: async () => describeKernel(version, await session.pythonVersion()),
    complete_request: ({ content }) => completeCode(session, content),
    inspect_request: ({ content }) => inspectCode(session, content),
    is_complete_request: ({ content }) => judgeCompleteness(session, content),
    history_request: ({ content }) => listHistory(content),
    comm_info_request: () => ({ status: "ok", comms: {} }),
    interrupt_request: () => {
      interrupt();
      return { status: "ok" };
    },
    shutdown_request: ({ content }) => {
      interrupt();
      return { status: "ok", restart: content.restart === true };
    },
  };

  async function answer(request: Request, replies: Replies): Promise<void> {
    const { msg_type } = request.header;
    if (msg_type === "comm_open") {
      // Widgets are not supported: the frontend gets a close message.
      replies.publish("comm_close", { comm_id: request.content.comm_id, data: {} });
    }
    const handle = Object.hasOwn(shell, msg_type) ? shell[msg_type] : undefined;
    if (!handle) return;
    try {
      replies.reply(await handle(request, replies));
    } catch (error) {
      const evalue = error instanceof Error ? error.message : String(error);
      replies.reply({ status: "error", ename: "internal", evalue, traceback: [evalue], execution_count: count });
    }
    if (msg_type === "shutdown_request") ended.resolve();
  }

  async function announced(request: Request, act: (replies: Replies) => Promise<void>): Promise<void> {
    const replies = repliesTo(request);
    replies.publish("status", { execution_state: "busy" });
    await act(replies);
    replies.publish("status", { execution_state: "idle" });
  }

  async function serveWaiting(): Promise<void> {
    if (isServing) return;
    isServing = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const request = next;
      await announced(request, (replies) => answer(request, replies));
    }
    isServing = false;
  }

  function interrupt(): void {
    running?.stop.abort();
  }

  repliesTo(null).publish("status", { execution_state: "starting" });
  return {
    receive(request) {
      if (request.channel === "control") void announced(request, (replies) => answer(request, replies));
      else if (request.channel === "shell") {
        waiting.push(request);
        void serveWaiting();
      } else if (request.header.msg_type === "input_reply") {
        // A reply to a cell that has ended meanwhile is no answer to the next one.
        const { value } = request.content;
        if (running?.replies.isAwaited) running.replies.give(typeof value === "string" ? value : null);
      }
    },
    interrupt,
    ended: ended.promise,
  };
}
