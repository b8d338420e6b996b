import { explainIssues } from "@drydock/protocol";
import {
  ApiError,
  HOST_METHODS,
  type HostInput,
  type HostMethod,
  type HostParams,
  type HostResult,
  hostParams,
  type MessageChunk,
  RUNNER_LIMITS,
} from "@drydock/protocol/runner";
import { createChunkQueue } from "./chunk-queue.ts";

type StreamMethod = "invoke_llm_stream";
type StreamInput = Omit<HostInput<StreamMethod>, "stream_id">;
/** Gives the chunks as they come, and the whole answer as its return value. */
export type ChunkStream = AsyncGenerator<MessageChunk, HostResult<StreamMethod>, void>;

type MayBeLeftOut<Params> = object extends Params ? true : string extends keyof Params ? true : false;
type HostCall<Method extends HostMethod> =
  true extends MayBeLeftOut<HostInput<Method>>
    ? (params?: HostInput<Method>) => Promise<HostResult<Method>>
    : (params: HostInput<Method>) => Promise<HostResult<Method>>;

/** One method for each call of the host API. Refusals are thrown as `ApiError`. */
export type HostApi = { [Method in Exclude<HostMethod, StreamMethod>]: HostCall<Method> } & {
  [Method in StreamMethod]: (params: StreamInput) => ChunkStream;
};

/** Carries calls to the host. */
export interface HostPort {
  call(method: HostMethod, params: object): Promise<unknown>;
  /** Chunks of a stream go to the listener until it is removed. */
  listen(streamId: string, listener: (chunk: MessageChunk) => void): () => void;
}

export interface HostApiOptions {
  runId: string;
  /** Seconds since 1970. */
  deadlineAt: number | null | undefined;
  signal: AbortSignal;
  port: HostPort;
}

/** Beside the params, a line has the method's name and an id. */
const ENVELOPE_BYTES = 200;
/** A timer with a longer time would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createHostApi({ runId, deadlineAt, signal, port }: HostApiOptions): HostApi {
  let streams = 0;

  async function call<Method extends HostMethod>(method: Method, input: object): Promise<HostResult<Method>> {
    signal.throwIfAborted();
    const params = checkParams(method, { ...input, run_id: runId });
    const restMs = typeof deadlineAt === "number" ? deadlineAt * 1000 - Date.now() : MAX_TIMER_MS;
    if (restMs <= 0) throw deadlineError(method);
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(() => deadline.reject(deadlineError(method)), Math.min(restMs, MAX_TIMER_MS));
    try {
      const answer = Promise.race([port.call(method, params), deadline.promise]);
      return (await untilAborted(answer, signal)) as HostResult<Method>;
    } finally {
      clearTimeout(timer);
    }
  }

  async function* stream(input: StreamInput): ChunkStream {
    const streamId = `${runId.slice(0, 80)}:${++streams}`;
    const queue = createChunkQueue<MessageChunk>();
    const stop = port.listen(streamId, queue.push);
    try {
      const answer = call("invoke_llm_stream", { ...input, stream_id: streamId }).finally(queue.end);
      // Where the caller leaves early, nobody is left to hear of a failure.
      answer.catch(() => {});
      yield* queue.items;
      return await answer;
    } finally {
      stop();
    }
  }

  const calls = HOST_METHODS.map((method) => [method, (params: object = {}) => call(method, params)]);
  const setters = SETTERS.map((method) => [
    method,
    (params: StoredValue) => sendValue(params, (part) => call(method, part)),
  ]);
  return { ...Object.fromEntries([...calls, ...setters]), invoke_llm_stream: stream } as HostApi;
}

const SETTERS = ["set_plugin_storage", "set_workspace_storage"] as const;
type StoredValue = HostInput<(typeof SETTERS)[number]>;
/** Of base64: 2 MiB and a little less, so that no part but the last one is padded. */
const PART_CHARS = 2_796_200;

/** A value that is larger than a message is sent in parts. It is stored when the last one has arrived. */
async function sendValue(params: StoredValue, send: (part: StoredValue) => Promise<object>): Promise<object> {
  const { key, value } = params ?? {};
  const isWhole = typeof value !== "string" || value.length <= PART_CHARS || typeof params.offset === "number";
  if (isWhole) return send(params);
  const total_bytes = Buffer.byteLength(value, "base64");
  let answer = {};
  for (let start = 0; start < value.length; start += PART_CHARS) {
    const part = value.slice(start, start + PART_CHARS);
    answer = await send({ key, value: part, offset: (start / 4) * 3, total_bytes });
  }
  return answer;
}

function deadlineError(method: string): ApiError {
  return new ApiError("deadline_exceeded", `The deadline of the run passed before ${method} was answered.`);
}

/** Mistakes are found here, before they are sent. */
function checkParams<Method extends HostMethod>(method: Method, input: object): HostParams<Method> {
  const { data, error } = hostParams(method).safeParse(input);
  if (error) throw new ApiError("invalid_argument", `${method}: ${explainIssues(error.issues, "params").join("; ")}`);
  const bytes = Buffer.byteLength(JSON.stringify(data)) + ENVELOPE_BYTES;
  if (bytes > RUNNER_LIMITS.lineBytes) {
    const message = `${method}: the params have ${bytes} bytes. A message may have ${RUNNER_LIMITS.lineBytes}.`;
    throw new ApiError("payload_too_large", message);
  }
  return data as unknown as HostParams<Method>;
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
