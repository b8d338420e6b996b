import { type ArtifactRef, type ChatMessage, DrydockError, type ModelMessage, type ToolCall } from "@drydock/protocol";
import type { AskOptions } from "../../../app/index.ts";
import type { AnyDefinition, AttachedFile } from "../../../tasks/index.ts";
import { definitionOf } from "../agents/find-agent.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { ServerContext } from "../server-context.ts";
import { listHostTargets } from "./host-targets.ts";

/** A request to either OpenAI endpoint, in our own shape. */
export interface ChatRequest {
  system: string;
  messages: ModelMessage[];
  /** Files and pictures of all messages. */
  attachments: AttachedFile[];
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  output: { name: string; schema: Record<string, unknown> } | undefined;
  /** Whether the answer is to have a form, with a schema or without. */
  hasFormat: boolean;
  maxOutputTokens: number | undefined;
  /** A conversation of the host that the last message continues. */
  conversation: string | undefined;
}

export interface Reply {
  runId: string;
  text: string;
  toolCalls: ToolCall[];
  finish: "stop" | "length" | "tool_calls" | "content_filter";
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** Files and pictures that code made; `GET /artifacts/ID` has them. */
  artifacts?: ArtifactRef[];
  /** Nobody has counted the tokens: they are unknown, not none. */
  isUsageUnknown?: true;
}

export interface ReplyOptions {
  signal: AbortSignal;
  onText?: (text: string) => void;
}

/** What OpenAI calls a model: an agent, or the configured model where there are no agents. */
export interface ChatTarget {
  id: string;
  ownedBy: string;
  ask(conversation: ChatRequest, options: ReplyOptions): Promise<Reply>;
}

const FINISH = {
  stop: "stop",
  tools: "tool_calls",
  length: "length",
  filtered: "content_filter",
  other: "stop",
} as const;

export async function listTargets(server: ServerContext): Promise<ChatTarget[]> {
  return [...(await listOwnTargets(server)), ...(await listHostTargets(server))];
}

async function listOwnTargets(server: ServerContext): Promise<ChatTarget[]> {
  if (server.agents.length > 0) return server.agents.map((each) => targetOfAgent(server, definitionOf(each)));
  const name = await server.dock.models.name(server.model);
  return name === null ? [] : [targetOfModel(server, name)];
}

export async function findTarget(server: ServerContext, id: string): Promise<ChatTarget> {
  const targets = await listTargets(server);
  // A server with one model has no other to mean: `default` stands for it.
  const found = targets.find((each) => each.id === id) ?? (id === "default" ? targets[0] : undefined);
  if (found) return found;
  const names = targets.map((each) => each.id).join(", ");
  throw new HttpProblem(404, {
    message: `There is no model ${id} here.`,
    hint: names === "" ? "Configure a model, or start the server with agents." : `This server has ${names}.`,
    data: { type: "invalid_request_error", param: "model" },
  });
}

function targetOfModel({ dock, model }: ServerContext, id: string): ChatTarget {
  return {
    id,
    ownedBy: "drydock",
    async ask({ tools, attachments, hasFormat, conversation: _, ...rest }, { signal, onText }) {
      // A client with tools of its own, or with a shape for the answer, talks to the model itself.
      const isPlain = tools.length === 0 && !hasFormat && rest.maxOutputTokens === undefined;
      const question = isPlain ? readQuestion(rest.messages) : null;
      if (question)
        return answerQuestion(dock, { ...question, system: rest.system, attachments, model, signal }, onText);
      if (attachments.length > 0) throw takesNoFiles("A request with tools, a response format or a token limit");
      const { runId, answer } = await dock.models.chat({ ...rest, tools, model, signal, onText });
      const { inputTokens, outputTokens, cachedInputTokens: cachedTokens } = answer.usage;
      const { text, toolCalls } = answer;
      return { runId, text, toolCalls, finish: FINISH[answer.finish], inputTokens, outputTokens, cachedTokens };
    },
  };
}

/** The last words of the user after what was said before; null for a conversation that holds tool calls of the client. */
function readQuestion(messages: readonly ModelMessage[]): { words: string; chat: ChatMessage[] } | null {
  const last = messages.at(-1);
  const chat = messages.slice(0, -1).map((message): ChatMessage | null => {
    const isSaid = message.role === "user" || (message.role === "assistant" && message.toolCalls.length === 0);
    return isSaid ? { role: message.role, text: message.text } : null;
  });
  if (last?.role !== "user" || last.text.trim() === "" || chat.includes(null)) return null;
  return { words: last.text, chat: chat.filter((message) => message !== null) };
}

/** The default model has the tools of the sandbox. */
async function answerQuestion(
  dock: ServerContext["dock"],
  { words, ...question }: Pick<AskOptions, "chat" | "system" | "attachments" | "model" | "signal"> & { words: string },
  onText: ((text: string) => void) | undefined,
): Promise<Reply> {
  let streamed = "";
  const stream = (text: string) => {
    streamed += text;
    onText?.(text);
  };
  const result = await dock.ask(words, {
    ...question,
    onProgress: (progress) => {
      // What the model says between its tool calls is part of the reply, in paragraphs of its own.
      if (progress.kind === "asked" && streamed !== "") stream("\n\n");
      if (progress.kind === "text") stream(progress.text);
    },
  });
  const { runId, artifacts, error, usage } = result;
  const text = streamed || result.text;
  if (error) throw new DrydockError(error.code, error.message, error.hint, { runId });
  const { inputTokens, outputTokens } = usage;
  return { runId, text, toolCalls: [], artifacts, finish: "stop", inputTokens, outputTokens, cachedTokens: 0 };
}

function targetOfAgent({ dock, model }: ServerContext, definition: AnyDefinition): ChatTarget {
  return {
    id: definition.name,
    ownedBy: "drydock-agent",
    async ask(conversation, { signal, onText }) {
      if (conversation.tools.length > 0) {
        const hint = "Leave `tools` out: an agent calls its own.";
        throw new DrydockError("input.invalid", `The agent ${definition.name} takes no tools.`, hint);
      }
      if (conversation.attachments.length > 0) throw takesNoFiles(`The agent ${definition.name}`);
      // Only what an agent answers with as text is its answer word for word.
      const isText = definition.output === undefined && definition.execute === undefined;
      const { output, runId, usage } = await dock.callAgent(definition, readInput(conversation.messages), {
        signal,
        model: definition.model === undefined ? model : undefined,
        onProgress: (progress) => {
          if (isText && progress.kind === "text" && progress.agent === definition.name) onText?.(progress.text);
        },
      });
      const text = typeof output === "string" ? output : JSON.stringify(output, null, 2);
      const { inputTokens, outputTokens } = usage;
      return { runId, text, toolCalls: [], finish: "stop", inputTokens, outputTokens, cachedTokens: 0 };
    },
  };
}

/** What an answer says beyond OpenAI's fields. */
export function describeRun({ runId, artifacts = [] }: Reply): { runId: string; artifacts: ArtifactRef[] } {
  return { runId, artifacts };
}

export function takesNoFiles(what: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `${what} takes no files.`,
    "Leave out the files, or put what they stream into the message.",
  );
}

/** The last message of the user after those before it, or the JSON value that it is. */
function readInput(messages: readonly ModelMessage[]): unknown {
  const spoken = messages.filter(({ text }) => text.trim() !== "");
  const last = spoken.at(-1);
  if (!last) throw new DrydockError("input.invalid", "The request has no text.", "Send a message with some text.");
  if (spoken.length > 1) {
    const earlier = spoken.slice(0, -1).map(({ role, text }) => `${role}: ${text}`);
    return `Earlier in this conversation:\n${earlier.join("\n")}\n\nNow:\n${last.text}`;
  }
  if (!/^\s*[{[]/.test(last.text)) return last.text;
  try {
    return JSON.parse(last.text) as unknown;
  } catch {
    return last.text;
  }
}
