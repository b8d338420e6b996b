import type { ModelAnswer } from "@drydock/protocol";
import type { TokenCount } from "../usage.ts";
import type { SdkCall, SdkModel, SdkPart } from "./wires.ts";

export interface RawToolCall {
  id: string;
  name: string;
  /** As it came: it should be the text of a JSON object. */
  input: string;
}

export interface ProviderReply {
  text: string;
  toolCalls: RawToolCall[];
  finish: ModelAnswer["finish"];
  /** Null where the provider does not say. */
  tokens: TokenCount | null;
}

export type CallOutcome =
  | { kind: "reply"; reply: ProviderReply }
  /** `receivedChars` is null where nothing at all came back, so that nothing was used. */
  | { kind: "fault"; cause: FaultCause; error: unknown; receivedChars: number | null };

/** `cut`: the stream ended before the answer did. */
export type FaultCause = "cancelled" | "timeout" | "silence" | "cut" | "refused";

export interface CallLimits {
  timeoutMs: number;
  idleMs: number;
  signal: AbortSignal | undefined;
  onText: ((text: string) => void) | undefined;
}

/** An answer that never ends would otherwise fill the memory until its time is over. */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

/** Makes one request and reads its stream to the end. Never rejects; never waits longer than its limits. */
export async function callProvider(model: SdkModel, call: SdkCall, limits: CallLimits): Promise<CallOutcome> {
  const watch = startWatch(limits);
  const draft = { text: "", toolCalls: [] as RawToolCall[], chars: null as number | null };
  const fault = (cause: FaultCause, error: unknown): CallOutcome => {
    return { kind: "fault", cause: watch.stopped() ?? cause, error, receivedChars: draft.chars };
  };
  let reader: ReadableStreamDefaultReader<SdkPart> | undefined;
  try {
    const { stream } = await watch.guard(model.doStream({ ...call, abortSignal: watch.signal }));
    reader = stream.getReader();
    draft.chars = 0;
    for (;;) {
      const { done, value: part } = await watch.guard(reader.read());
      if (done) return fault("cut", new Error("the stream ended before the answer did"));
      watch.alive();
      if (part.type === "text-delta") {
        draft.text += part.delta;
        draft.chars += part.delta.length;
        limits.onText?.(part.delta);
      } else if (part.type === "reasoning-delta" || part.type === "tool-input-delta") {
        draft.chars += part.delta.length;
      } else if (part.type === "tool-call") {
        draft.toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
      } else if (part.type === "error") {
        return fault(isCutShort(part.error) ? "cut" : "refused", part.error);
      } else if (part.type === "finish") {
        const finish = readFinish(part.finishReason);
        if (finish === null) return fault("cut", new Error("the stream ended before the answer did"));
        const { text, toolCalls } = draft;
        return { kind: "reply", reply: { text, toolCalls, finish, tokens: readTokens(part.usage) } };
      }
      if (draft.chars > MAX_ANSWER_CHARS) return fault("refused", new Error("the answer does not end"));
    }
  } catch (error) {
    return fault(draft.chars === null ? "refused" : "cut", error);
  } finally {
    watch.end();
    reader?.cancel().catch(() => undefined);
  }
}

/** Ends the request when the caller wants it, when its time is over, or when nothing came for too long. */
function startWatch(limits: CallLimits) {
  const controller = new AbortController();
  let cause: FaultCause | null = null;
  const stop = (why: FaultCause) => {
    cause ??= why;
    controller.abort(new Error(why));
  };
  const cancel = () => stop("cancelled");
  const whole = setTimeout(() => stop("timeout"), limits.timeoutMs);
  const idle = setTimeout(() => stop("silence"), limits.idleMs);
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
  });
  stopped.catch(() => undefined);
  if (limits.signal?.aborted) cancel();
  limits.signal?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    stopped: () => cause,
    alive: () => void idle.refresh(),
    /** A connection that hangs may not notice that it was cancelled. */
    guard: <T>(promise: Promise<T> | PromiseLike<T>): Promise<T> => Promise.race([promise, stopped]),
    end() {
      clearTimeout(whole);
      clearTimeout(idle);
      limits.signal?.removeEventListener("abort", cancel);
      if (!controller.signal.aborted) controller.abort(new Error("over"));
    },
  };
}

/** A chunk that can't be read, or an end without a reason: what is left of a stream that was cut. */
function isCutShort(error: unknown): boolean {
  const name = error instanceof Error ? error.name : "";
  return ["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"].includes(name);
}

type FinishPart = Extract<SdkPart, { type: "finish" }>;

/** Null for an answer that was not finished. */
function readFinish({ unified, raw }: FinishPart["finishReason"]): ModelAnswer["finish"] | null {
  switch (unified) {
    case "stop":
    case "length":
      return unified;
    case "tool-calls":
      return "tools";
    case "content-filter":
      return "filtered";
    case "error":
    case "interrupted":
      return null;
    case "other":
      return raw === undefined ? null : "other";
    default:
      return unified satisfies never;
  }
}

function readTokens({ inputTokens, outputTokens }: FinishPart["usage"]): TokenCount | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  return {
    input: inputTokens.total,
    output: outputTokens.total,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
  };
}
