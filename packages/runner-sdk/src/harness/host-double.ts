import { explainIssues } from "@drydock/protocol";
import {
  ApiError,
  HOST_API,
  type HostMethod,
  type HostParams,
  type HostResult,
  type MessageChunk,
  type RunContext,
  type RunnerManifest,
} from "@drydock/protocol/runner";
import type { HostPort } from "../host-api.ts";
import { checkGrant } from "./check-grant.ts";
import type { MemoryHost } from "./memory-host.ts";

type Later<Value> = Value | Promise<Value>;
type Chunks = Iterable<string | MessageChunk> | AsyncIterable<string | MessageChunk>;

/** What the host answers, by the name of the call. A stream gives its chunks; a plain text is one, too. */
export type HostAnswers = {
  [Method in Exclude<HostMethod, "invoke_llm_stream">]?: (params: HostParams<Method>) => Later<HostResult<Method>>;
} & { invoke_llm_stream?: (params: HostParams<"invoke_llm_stream">) => Chunks };

/** Answers calls as a host would: refuses what the run may not do, and takes the rest from the test. */
export function createHostDouble(
  manifest: RunnerManifest,
  context: RunContext,
  answers: HostAnswers,
  memory: MemoryHost,
  warn: (text: string) => void,
): HostPort {
  const listeners = new Map<string, (chunk: MessageChunk) => void>();
  const handlers = { get_host_version: () => ({ version: "test" }), ...memory.handlers, ...answers } as Partial<
    Record<HostMethod, (params: object) => unknown>
  >;

  async function stream(chunks: Chunks, streamId: string): Promise<HostResult<"invoke_llm_stream">> {
    let content = "";
    for await (const each of chunks) {
      const chunk = typeof each === "string" ? { role: "assistant" as const, content: each } : each;
      if (typeof chunk.content === "string") content += chunk.content;
      listeners.get(streamId)?.(chunk);
    }
    return { message: { role: "assistant", content }, usage: null };
  }

  return {
    listen(streamId, listener) {
      listeners.set(streamId, listener);
      return () => listeners.delete(streamId);
    },
    async call(method, params) {
      const values = params as Record<string, unknown>;
      const refusal = checkGrant(method, values, manifest, context);
      if (refusal) {
        warn(`${method} was refused: ${refusal}.`);
        throw new ApiError("unauthorized", `${method} is not granted: ${refusal}.`);
      }
      const handler = handlers[method];
      if (!handler) {
        warn(`${method} was called, and the test gives no answer for it.`);
        throw new ApiError("runtime_error", `The test gives no answer for ${method}: \`api: { ${method}: … }\`.`);
      }
      const made = handler(params);
      const answer = method === "invoke_llm_stream" ? stream(made as Chunks, String(values.stream_id)) : made;
      return checkAnswer(method, await answer);
    },
  };
}

/** A test that answers what no host answers would prove nothing. */
function checkAnswer(method: HostMethod, answer: unknown): unknown {
  const { data, error } = HOST_API[method].result.safeParse(answer);
  if (error) throw new TypeError(`The test's answer for ${method}: ${explainIssues(error.issues, "it").join("; ")}.`);
  return data;
}
