import {
  ApiError,
  type HostApi,
  type Message,
  type MessageChunk,
  type RunnerContext,
  RunnerError,
  readText,
} from "@drydock/runner-sdk";
import { createThoughtFilter, removeThoughts } from "./remove-thoughts.ts";
import type { Settings } from "./settings.ts";

export type Answer = Message & { tool_calls: NonNullable<Message["tool_calls"]> };
type Funcs = Record<string, unknown>[];
type Usage = { input_tokens?: number; output_tokens?: number };

export interface Asker {
  /** Gives the text as it comes, and the answer at the end. */
  ask(messages: readonly Message[], funcs: Funcs): AsyncGenerator<string, Answer, void>;
  /** All questions so far; null as soon as one of them is unknown. */
  usage(): Usage | null;
}

/**
 * Asks the first model that answers, and stays with it. Another one is asked only where nothing of an answer has been shown:
 * two halves by two models make no answer.
 */
export function createAsker(
  api: HostApi,
  { models, removesThoughts }: Settings,
  { signal, log }: Pick<RunnerContext, "signal" | "log">,
  streams: boolean,
): Asker {
  let current = 0;
  let total: Usage | null = {};

  async function* askOne(model_id: string, messages: Message[], funcs: Funcs): AsyncGenerator<string, Answer, void> {
    const params = { model_id, messages, ...(funcs.length > 0 && { funcs }) };
    const whole = streams
      ? yield* showText(api.invoke_llm_stream(params), removesThoughts)
      : await api.invoke_llm(params);
    total = total && whole.usage && addUsage(total, whole.usage);
    const text = readText(whole.message);
    const content = removesThoughts ? removeThoughts(text) : text;
    return { ...whole.message, content, tool_calls: whole.message.tool_calls ?? [] };
  }

  return {
    usage: () => total,
    async *ask(messages, funcs) {
      const failures: ApiError[] = [];
      for (let index = current; ; index++) {
        const model = models[index];
        if (model === undefined) throw noneAnswered(failures);
        let hasShown = false;
        try {
          const answer = askOne(model, [...messages], funcs);
          for (;;) {
            const next = await answer.next();
            if (next.done) {
              current = index;
              return next.value;
            }
            hasShown = true;
            yield next.value;
          }
        } catch (error) {
          if (signal.aborted || !(error instanceof ApiError) || error.code === "deadline_exceeded") throw error;
          failures.push(error);
          if (hasShown) throw noneAnswered(failures);
          log(`${model} did not answer: ${error.message}`, "warning");
        }
      }
    },
  };
}

async function* showText(stream: ReturnType<HostApi["invoke_llm_stream"]>, removesThoughts: boolean) {
  const filter = removesThoughts ? createThoughtFilter() : null;
  for (;;) {
    const next: IteratorResult<MessageChunk, Awaited<ReturnType<HostApi["invoke_llm"]>>> = await stream.next();
    const text = next.done ? (filter?.finish() ?? "") : readText(next.value);
    const shown = next.done || !filter ? text : filter.take(text);
    if (shown !== "") yield shown;
    if (next.done) return next.value;
  }
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: (a.input_tokens ?? 0) + (b.input_tokens ?? 0),
    output_tokens: (a.output_tokens ?? 0) + (b.output_tokens ?? 0),
  };
}

function noneAnswered(failures: readonly ApiError[]): RunnerError {
  const which = failures.length > 1 ? `None of ${failures.length} models answered` : "The model did not answer";
  const reasons = failures.map((failure) =>
    isFinal(failure) ? `${failure.message} ${adviceOf(failure)}` : failure.message,
  );
  const retryable = !failures.every(isFinal);
  return new RunnerError("local-agent.api_error", `${which}: ${reasons.join(" — ")}`, { retryable });
}

/** The same question would fail the same way: the model's name is not valid, or there is no key for it. */
function isFinal({ details }: ApiError): boolean {
  return details.code === "input.invalid" || (details.code === "model.unavailable" && details.attempts === 0);
}

function adviceOf({ details }: ApiError): string {
  return String(details.hint ?? "").split("\n")[0] ?? "";
}
