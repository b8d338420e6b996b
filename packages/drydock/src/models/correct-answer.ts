import { DrydockError, type ModelAnswer, type ModelMessage, type ModelUsage, type ToolCall } from "@drydock/protocol";
import { shortenLine } from "../base/text/index.ts";
import type { ModelRequest } from "./model.ts";
import type { ProviderReply, RawToolCall } from "./providers/call-provider.ts";
import { readOutput } from "./read-output.ts";
import { addUsage, NO_USAGE } from "./usage.ts";

/** An answer as it came, before anybody looked whether it can be used. */
export interface Draft extends Pick<ProviderReply, "text" | "toolCalls" | "finish"> {
  usage: ModelUsage;
  /** Requests that it took, with those that failed in passing. */
  requests: number;
  /** It ends the attempt by itself: its shape is not checked. */
  final?: boolean;
}

type Judged =
  | { ok: true; json?: unknown; toolCalls: ToolCall[] }
  | { ok: false; problems: string[]; messages: ModelMessage[] };

/**
 * Asks until the answer can be used: tool calls whose arguments are JSON objects, and the requested shape. Any other
 * answer is sent back with the reasons, a limited number of times.
 */
export async function askUntilUsable(
  model: string,
  request: ModelRequest,
  corrections: number,
  send: (request: ModelRequest) => Promise<Draft>,
): Promise<ModelAnswer> {
  let usage = NO_USAGE;
  let requests = 0;
  let messages = request.messages;
  for (let round = 0; ; round++) {
    const draft = await send({ ...request, messages }).catch((error: unknown) => {
      throw withEarlier(error, usage, requests);
    });
    usage = addUsage(usage, draft.usage);
    requests += draft.requests;
    const judged = await judge(draft, request);
    if (judged.ok) {
      const { text } = draft;
      // Some servers say "stop" where they call tools.
      const finish = judged.toolCalls.length > 0 && draft.finish === "stop" ? "tools" : draft.finish;
      const answer: ModelAnswer = { model, text, toolCalls: judged.toolCalls, finish, usage };
      if (requests > 1) answer.requests = requests;
      return judged.json === undefined ? answer : { ...answer, json: judged.json };
    }
    if (round >= corrections || draft.finish === "filtered") {
      throw unusable(model, request, draft, judged.problems, { answers: round + 1, requests, usage });
    }
    messages = [...messages, ...judged.messages];
  }
}

async function judge(draft: Draft, { output }: ModelRequest): Promise<Judged> {
  const read = draft.toolCalls.map(readToolCall);
  const broken = read.filter((call) => !call.ok);
  if (broken.length > 0) {
    const problems = broken.map(({ call, reason }) => `the call of ${call.name} is malformed: ${reason}`);
    return { ok: false, problems, messages: refuseToolCalls(draft, read) };
  }
  const toolCalls = read.map(({ call }) => call);
  if (!output || toolCalls.length > 0 || draft.final) return { ok: true, toolCalls };
  const result = await readOutput(draft.text, output.schema);
  if (result.ok) return { ok: true, json: result.json, toolCalls };
  const cut = draft.finish === "length" ? ["it was cut off because it is too long: answer more briefly"] : [];
  const problems = [...cut, ...result.problems];
  return { ok: false, problems, messages: refuseText(draft.text, problems) };
}

type ReadCall = { ok: boolean; reason: string; call: ToolCall };

function readToolCall({ id, name, input }: RawToolCall): ReadCall {
  const broken = (reason: string): ReadCall => ({ ok: false, reason, call: { id, name, arguments: {} } });
  try {
    const value: unknown = JSON.parse(input.trim() === "" ? "{}" : input);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return broken("it is not a JSON object");
    return { ok: true, reason: "", call: { id, name, arguments: { ...value } } };
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error));
  }
}

/** Every call needs its result, or providers refuse the conversation. None of them was executed. */
function refuseToolCalls(draft: Draft, read: readonly ReadCall[]): ModelMessage[] {
  const results = read.map(({ ok, reason, call }): ModelMessage => {
    const text = ok
      ? "Not executed, because another call of the same answer was malformed. Send it again."
      : `Not executed: the arguments must be one JSON object (${reason}). Send the call again.`;
    return { role: "tool", callId: call.id, name: call.name, text, failed: true };
  });
  return [{ role: "assistant", text: draft.text, toolCalls: read.map(({ call }) => call) }, ...results];
}

function refuseText(text: string, problems: readonly string[]): ModelMessage[] {
  const reasons = problems.map((problem) => `- ${problem}`).join("\n");
  return [
    { role: "assistant", text: text.trim() === "" ? "(nothing)" : text, toolCalls: [] },
    {
      role: "user",
      text: `That answer can't be used:\n${reasons}\nAnswer again, with one JSON value of the shape asked for and nothing else.`,
    },
  ];
}

function unusable(
  model: string,
  { output }: ModelRequest,
  draft: Draft,
  problems: readonly string[],
  { answers, requests, usage }: { answers: number; requests: number; usage: ModelUsage },
): DrydockError {
  const what = draft.toolCalls.length > 0 ? "can't be used" : `is not a valid ${output?.name ?? "answer"}`;
  const times = answers === 1 ? "" : `, after ${answers} answers`;
  const reason = draft.finish === "filtered" ? "the provider withheld the answer" : problems.join("; ");
  const answer = draft.toolCalls.length > 0 ? draft.toolCalls.map(({ input }) => input).join("\n") : draft.text;
  return new DrydockError(
    "model.failed",
    `${model}: the answer ${what}${times}: ${shortenLine(reason, 400)}. It began: ${shortenLine(answer.slice(0, 200), 120) || "(nothing)"}`,
    "Use a model that keeps to a JSON Schema, or raise its output limit if the answer was cut off.",
    { model, provider: providerOf(model), attempts: requests, problems, answer: answer.slice(0, 4000), usage },
  );
}

export function providerOf(model: string): string {
  return model.includes("/") ? model.slice(0, model.indexOf("/")) : model;
}

/** What earlier answers cost is not lost when a later one fails. */
function withEarlier(error: unknown, earlier: ModelUsage, requests: number): unknown {
  if (!(error instanceof DrydockError) || requests === 0) return error;
  const own = error.data.usage as ModelUsage | undefined;
  const usage = own ? addUsage(earlier, own) : earlier;
  const attempts = requests + Number(error.data.attempts ?? 0);
  return new DrydockError(error.code, error.message, error.hint, { ...error.data, usage, attempts });
}
