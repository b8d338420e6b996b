import { PassThrough } from "node:stream";
import type { EffectivePolicy, PermissionRequest } from "@drydock/protocol";
import type { Dock, WrapHandle, WrapOptions, WrapResult } from "../../app/index.ts";
import { createLineReader, INSIDE_PROGRAM, type Message, parseMessage } from "../../base/agent-protocol/index.ts";
import { createAgentSide } from "./agent-side.ts";
import { createEditorSide } from "./editor-side.ts";
import { createPathMap } from "./map-paths.ts";

export interface AcpOptions
  extends Pick<
    WrapOptions,
    "command" | "workspace" | "policy" | "checks" | "mayChange" | "environment" | "home" | "decide" | "signal"
  > {
  /** What the editor sends. */
  input: AsyncIterable<Uint8Array>;
  /** Sends a line to the editor. */
  send(line: string): void;
  /** Shows what the agent writes to standard error, and what Drydock decides. */
  log(text: string): void;
}

/** What both sides of the conversation share. */
export interface Conversation {
  /** Requests of the editor that the agent has not answered, by id. */
  pending: Map<string | number, string>;
  /** Permissions that the editor was asked for and has not answered, by id. */
  asked: Map<string | number, { request: PermissionRequest; options: unknown }>;
  paths: ReturnType<typeof createPathMap>;
  policy: EffectivePolicy;
  handle: WrapHandle;
  toAgent(message: Message): void;
  toEditor(message: Message): void;
  log(text: string): void;
}

/** After the editor has gone, an agent has this long to end by itself. */
const LEAVE_MS = 3000;

/**
 * Stands between an editor and an agent that runs in the sandbox, on a layer of the workspace. Messages pass; what Drydock
 * answers itself are files and terminals (inside), permissions that the policy denies, and questions about checkpoints.
 * Every turn is a checkpoint before the editor hears of its end.
 */
export async function serveAcp(dock: Dock, options: AcpOptions): Promise<WrapResult> {
  const { input, send, log, ...wrap } = options;
  const { effective: policy } = await dock.policies.show({ workspace: wrap.workspace, policy: wrap.policy });
  const stdin = new PassThrough();
  const pending: Conversation["pending"] = new Map();
  const toEditor = (message: Message) => send(JSON.stringify(message));
  let onAgentText: (text: string) => void = () => {};
  /** The agent does not keep to the protocol: it is ended, and what it changed is kept. */
  const stop = new AbortController();
  const asked: Conversation["asked"] = new Map();
  let noteUnanswered = async () => {};
  const start = (handle: WrapHandle) => {
    const conversation: Conversation = {
      ...{ pending, asked, policy, handle, toEditor, log, paths: createPathMap(wrap.workspace) },
      toAgent: (message) => void stdin.write(`${JSON.stringify(message)}\n`),
    };
    const agent = createAgentSide(conversation);
    const reason = "the agent was gone before anybody decided";
    noteUnanswered = async () => {
      for (const { request } of asked.values())
        await handle.notePermission({ ...request, decision: "unanswered", by: "nobody", reason }).catch(() => {});
    };
    onAgentText = createLineReader((line) => {
      const message = parseMessage(line);
      if (message) agent.take(message);
      else log(`the agent sent a line that is no message: ${line.slice(0, 200)}\n`);
    });
    void carryEditor(conversation, input, log).finally(() => {
      stdin.end();
      setTimeout(() => handle.hangUp(), LEAVE_MS).unref();
    });
  };
  const result = await dock.wraps.run({
    ...wrap,
    stdin,
    adapter: INSIDE_PROGRAM,
    onReady: start,
    onEnded: () => noteUnanswered(),
    signal: wrap.signal ? AbortSignal.any([wrap.signal, stop.signal]) : stop.signal,
    onOutput({ stream, text }) {
      if (stream === "stderr") return log(text);
      if (stop.signal.aborted) return;
      try {
        onAgentText(text);
      } catch {
        log("the agent sent a message that does not end, and was ended\n");
        stop.abort();
      }
    },
  });
  const reason = result.error?.message ?? `It ended with status ${result.exitCode}.`;
  for (const id of pending.keys()) {
    toEditor({ jsonrpc: "2.0", id, error: { code: -32603, message: `The agent is gone. ${reason}` } });
  }
  return result;
}

async function carryEditor(
  conversation: Conversation,
  input: AsyncIterable<Uint8Array>,
  log: (text: string) => void,
): Promise<void> {
  const editor = createEditorSide(conversation);
  const read = createLineReader((line) => {
    const message = parseMessage(line);
    if (message) editor.take(message);
    else log(`the editor sent a line that is no message: ${line.slice(0, 200)}\n`);
  });
  const decoder = new TextDecoder();
  try {
    for await (const bytes of input) read(decoder.decode(bytes, { stream: true }));
  } catch (error) {
    log(`${(error as Error).message}\n`);
  }
}
