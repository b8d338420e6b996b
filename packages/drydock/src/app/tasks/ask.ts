import {
  type AgentToolCall,
  type ArtifactRef,
  type AskResult,
  ChatMessage,
  DrydockError,
  INTERNAL_HINT,
} from "@drydock/protocol";
import * as z from "zod";
import {
  createSandboxTools,
  describeExecution,
  looksLikeCode,
  openToolbox,
  runAsk,
  type Toolbox,
} from "../../tasks/index.ts";
import { refuseUnknownOptions } from "../runs/refuse-unknown-options.ts";
import type { AskOptions } from "./api.ts";
import { describeAttachments } from "./attachments.ts";
import { type OpenSandbox, openConversationSandbox } from "./conversation-sandbox.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import { describePackagesFor, parse, readInstruction } from "./execute-python-task.ts";
import { TASK_OPTIONS } from "./read-options.ts";
import { type RecordedPorts, recordRun } from "./record-task.ts";
import { findPlace, invalidTaskError, listFiles, type TaskLocation } from "./stage.ts";

const MAX_TURNS = 20;

interface Answered {
  text: string;
  failure: DrydockError | null;
}

/** Words in, an answer out. The model decides whether code is needed, and runs it in the sandbox. */
export async function ask(ports: PythonTaskPorts, words: string, options: AskOptions): Promise<AskResult> {
  const text = readInstruction(words);
  refuseUnknownOptions(TASK_OPTIONS.ask, options);
  const chat = parse(z.array(ChatMessage), options.chat ?? [], "chat");
  const place = await findPlace(ports, { ...options, attachments: options.attachments ?? [], checks: [] });
  const maxTurns = readMaxTurns(options);
  const toolCalls: AgentToolCall[] = [];
  let artifacts = (): ArtifactRef[] => [];
  const { runId, usage, outcome } = await recordRun<Answered>(
    ports,
    {
      ...options,
      kind: "agent",
      title: text,
      workspace: place.workspace,
      files: place.files,
      data: describeRequest(ports, place, text, options),
    },
    async (recorded, runId) => {
      const sandbox = openConversationSandbox(ports, async () => place, { recorded, runId, model: options.model });
      artifacts = sandbox.artifacts;
      const context = { signal: recorded.signal, runId };
      const toolbox = await openToolbox(createSandboxTools(sandbox), context, refuseInner);
      try {
        const isCode = recorded.model === null && looksLikeCode(text, "python");
        const question = { text, chat, toolbox, sandbox, toolCalls, maxTurns };
        const value = isCode
          ? await runTyped(sandbox, text, toolCalls)
          : await answer(recorded, place, question, options);
        const error = value.failure?.toInfo() ?? null;
        return { value, ok: error === null, data: { error } };
      } finally {
        await toolbox.close();
        await sandbox.close();
      }
    },
  );
  const { text: answered, failure } = outcome.kind === "done" ? outcome.value : { text: "", failure: outcome.error };
  return {
    ...{ ok: failure === null, text: answered, runId, sessionId: place.session?.id ?? null },
    ...{ toolCalls, artifacts: artifacts(), error: failure?.toInfo() ?? null, usage },
  };
}

interface Question {
  text: string;
  chat: ChatMessage[];
  toolbox: Toolbox;
  sandbox: OpenSandbox;
  toolCalls: AgentToolCall[];
  maxTurns: number;
}

async function answer(
  recorded: RecordedPorts,
  place: TaskLocation,
  { text: words, chat, sandbox, ...rest }: Question,
  { system = "" }: AskOptions,
): Promise<Answered> {
  const attached = place.files.map(({ name }) => name);
  const listed = place.workspace === null ? [] : await listFiles(place.workspace, place.policy);
  const notes = place.packages === null ? "" : describePackagesFor((await sandbox.open()).packages);
  const files = [...new Set([...attached, ...listed])];
  const { policy } = place;
  const text = await runAsk(recorded, { words, chat, system, policy, files, notes, ...rest });
  return { text, failure: null };
}

/** Without a model, code is still run as it was typed. Its value is the answer if it printed nothing. */
async function runTyped(sandbox: OpenSandbox, code: string, toolCalls: AgentToolCall[]): Promise<Answered> {
  const execution = await sandbox.run(code);
  const { ok, output, result, error, runId } = execution;
  const text = describeExecution(execution);
  toolCalls.push({ name: "session_exec", arguments: { code }, text, failed: !ok, runId });
  const failure = error && new DrydockError(error.code, error.message, error.hint);
  const isSilent = output === "" && result !== null && result !== undefined;
  return { text: isSilent ? describeValue(result) : "", failure };
}

/** What is no JSON has come as its type and its text. */
function describeValue(value: unknown): string {
  const { type, repr, ...rest } = Object(value) as Record<string, unknown>;
  const isText = typeof type === "string" && typeof repr === "string" && Object.keys(rest).length === 0;
  return isText ? repr : JSON.stringify(value, null, 2);
}

function readMaxTurns({ maxTurns = MAX_TURNS }: AskOptions): number {
  if (Number.isInteger(maxTurns) && maxTurns >= 1 && maxTurns <= 100) return maxTurns;
  throw invalidTaskError(`maxTurns is ${maxTurns}: it must be a whole number from 1 to 100.`);
}

function describeRequest({ ledger }: PythonTaskPorts, place: TaskLocation, input: string, { model, chat }: AskOptions) {
  const attachments = describeAttachments(ledger, place.files);
  const requirements = place.packages?.requirements;
  const request = {
    ...{ agent: "ask", input, model: model ?? null, session: place.session?.id ?? null },
    ...{ earlier: chat?.length ?? 0, attachments, ...(requirements && { requirements }) },
  };
  return { policy: place.policy, request };
}

async function refuseInner(): Promise<never> {
  throw new DrydockError("internal", "A conversation was given an agent as a tool.", INTERNAL_HINT);
}
