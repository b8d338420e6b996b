import { PassThrough } from "node:stream";
import type { Dock } from "../../../app/index.ts";
import type { KernelMessage } from "../messages.ts";
import { serveKernel } from "../serve-kernel.ts";

type Content = Record<string, unknown>;

export interface Conversation {
  /** Sends a request; resolves with its reply and what was published for it, once the kernel is idle again. */
  ask(
    type: string,
    content?: Content,
    channel?: "shell" | "control",
  ): Promise<{ reply: Content; published: [string, Content][] }>;
  execute(code: string, more?: Content): ReturnType<Conversation["ask"]>;
  /** Resolves with the first message of that type from now on. */
  next(type: string): Promise<KernelMessage>;
  /** A person's answer to a cell that waits. */
  answer(value: string): void;
  write(line: string): void;
  interrupt(): void;
  end(): Promise<void>;
}

/** Speaks to a kernel in this process as `wire.py` would. */
export function speakToKernel(dock: Dock, workspace?: string): Conversation {
  const input = new PassThrough();
  const watchers = new Set<(answer: KernelMessage) => void>();
  let interrupt = () => {};
  let lastId = 0;
  const served = serveKernel(dock, {
    workspace,
    version: "1.2.3",
    input,
    write: (line) => {
      for (const watcher of watchers) watcher(JSON.parse(line) as KernelMessage);
    },
    onInterrupt: (given) => {
      interrupt = given;
    },
  });

  const ask: Conversation["ask"] = (type, content = {}, channel = "shell") => {
    const msg_id = `m${++lastId}`;
    const published: [string, Content][] = [];
    let reply: Content = {};
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Conversation["ask"]>>>();
    const watch = (answer: KernelMessage) => {
      if (answer.parent_header.msg_id !== msg_id) return;
      const kind = String(answer.header.msg_type);
      if (answer.channel === "iopub") published.push([kind, answer.content]);
      else if (answer.channel !== "stdin") reply = answer.content;
      if (kind !== "status" || answer.content.execution_state !== "idle") return;
      watchers.delete(watch);
      resolve({ reply, published });
    };
    watchers.add(watch);
    input.write(`${JSON.stringify({ channel, identities: [], header: { msg_id, msg_type: type }, content })}\n`);
    return promise;
  };

  return {
    ask,
    execute: (code, more = {}) => ask("execute_request", { code, ...more }),
    next: (type) =>
      new Promise((resolve) => {
        const watch = (answer: KernelMessage) => {
          if (answer.header.msg_type !== type) return;
          watchers.delete(watch);
          resolve(answer);
        };
        watchers.add(watch);
      }),
    answer: (value) => {
      const header = { msg_id: `m${++lastId}`, msg_type: "input_reply" };
      input.write(`${JSON.stringify({ channel: "stdin", identities: [], header, content: { value } })}\n`);
    },
    write: (line) => input.write(`${line}\n`),
    interrupt: () => interrupt(),
    async end() {
      input.end();
      await served;
    },
  };
}
