import {
  completed,
  defineRunner,
  delta,
  type HostApi,
  type Message,
  message,
  type RunnerContext,
  RunnerError,
  type RunnerResult,
  readText,
} from "@drydock/runner-sdk";
import { type Answer, type Asker, createAsker } from "./ask-models.ts";
import { describeSkills } from "./describe-skills.ts";
import { manifest } from "./manifest.ts";
import { readQuestion, textOf, toSteered } from "./read-question.ts";
import { recall } from "./recall.ts";
import { searchKnowledge } from "./search-knowledge.ts";
import { readSettings, type Settings } from "./settings.ts";
import { openTools, type Tools } from "./use-tools.ts";

const LAST_ROUND = "\n\n[This was the last call of a tool. Answer now with what you have.]";

/**
 * asked ──► called ──► asked ──► … ──► answered      the model calls tools until it answers, within `tool-rounds`
 *    ▲         │                          │
 *    └─────────┴── messages that came ────┘          pulled after each round of calls, and before the end
 */
export const localAgent = defineRunner({
  manifest,
  async *run(ctx, api) {
    const settings = readSettings(ctx);
    if (textOf(ctx).trim() === "" && ctx.input.contents.length === 0)
      throw new RunnerError("local-agent.input_error", "The message is empty.");
    const asker = createAsker(api, settings, ctx, ctx.delivery.supports_streaming);
    const tools = await openTools(ctx, api, settings);
    const { messages: prompt } = await api.get_prompt();
    const history = yield* recall(ctx, api, asker, settings);
    const passages = await searchKnowledge(ctx, api, settings, textOf(ctx));
    const messages = [...prompt, ...describeSkills(ctx), ...history, await readQuestion(ctx, api, passages)];
    for (;;) {
      yield* answer({ ctx, api, asker, tools, settings }, messages);
      const more = await pullMessages(ctx, api);
      if (more.length === 0) break;
      messages.push(...more);
    }
    const usage = asker.usage();
    yield completed({ ...(usage && { usage }) });
  },
});

interface Work {
  ctx: RunnerContext;
  api: HostApi;
  asker: Asker;
  tools: Tools;
  settings: Settings;
}

/** Asks and calls tools until there is an answer, and gives it as one message: all that was said on the way is part of it. */
async function* answer({ ctx, api, asker, tools, settings }: Work, messages: Message[]): AsyncGenerator<RunnerResult> {
  const said: string[] = [];
  for (let round = 0; ; round++) {
    const reply: Answer = yield* showDeltas(asker.ask(messages, tools.funcs), said.length > 0);
    messages.push(toSent(reply));
    const text = readText(reply).trim();
    if (text !== "") said.push(text);
    if (reply.tool_calls.length === 0) break;
    if (round >= settings.toolRounds) throw tooManyRounds(settings.toolRounds);
    const isLast = round + 1 === settings.toolRounds;
    messages.push(...(yield* tools.call(reply.tool_calls, isLast ? LAST_ROUND : "")));
    messages.push(...(await pullMessages(ctx, api)));
  }
  if (said.length === 0) throw new RunnerError("local-agent.empty_response", "The model answered without a word.");
  yield message(said.join("\n\n"));
}

async function* showDeltas(
  text: AsyncGenerator<string, Answer, void>,
  isContinued: boolean,
): AsyncGenerator<RunnerResult, Answer, void> {
  let isFirst = isContinued;
  for (;;) {
    const next = await text.next();
    if (next.done) return next.value;
    yield delta(isFirst ? `\n\n${next.value}` : next.value);
    isFirst = false;
  }
}

function toSent({ tool_calls, ...reply }: Answer): Message {
  return tool_calls.length === 0 ? reply : { ...reply, tool_calls };
}

async function pullMessages(ctx: RunnerContext, api: HostApi): Promise<Message[]> {
  if (!ctx.context.available_apis.steering_pull) return [];
  return (await api.steering_pull()).items.map(({ input }) => toSteered(input));
}

function tooManyRounds(rounds: number): RunnerError {
  const message = `The model still called tools after ${rounds} rounds. Raise \`tool-rounds\`, or ask for less at once.`;
  return new RunnerError("local-agent.tool_limit", message);
}
