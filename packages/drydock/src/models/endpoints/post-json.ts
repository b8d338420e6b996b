import { setTimeout as sleep } from "node:timers/promises";
import { DrydockError } from "@drydock/protocol";
import type * as z from "zod";
import { parseJson } from "../../base/text/index.ts";
import { findTarget, type ModelOptions } from "../create-model.ts";
import { parseModelSpec } from "../parse-model-spec.ts";
import { type ModelTarget, refuseUnready } from "../providers/ask-provider.ts";
import { describeFault, type ProviderFailure } from "../providers/describe-fault.ts";
import { createPlainFetch } from "../providers/provider-fetch.ts";
import type { CallMeter } from "./meter-call.ts";

export type EndpointOptions = Pick<
  ModelOptions,
  "providers" | "prices" | "timeoutMs" | "retries" | "retryBaseMs" | "retryMaxMs"
> & {
  signal?: AbortSignal;
  /** Without one, calls are on no record and count against no budget. */
  meter?: CallMeter;
};

interface Call<Schema extends z.ZodType> {
  /** Below the provider's address. */
  path: string;
  body: Record<string, unknown>;
  answer: Schema;
  /** Default: the key as a bearer token. */
  headers?: Record<string, string>;
}

const DEFAULTS = { timeoutMs: 60_000, retries: 2, retryBaseMs: 1000, retryMaxMs: 60_000 };
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The provider of a model that is asked for something else than a text. */
export function openTarget(model: string, options: EndpointOptions): ModelTarget {
  const parsed = parseModelSpec(model);
  if (parsed.kind === "scripted" || parsed.models.length !== 1)
    throw new DrydockError("input.invalid", `${model} is not one model of a provider.`, "Name it as PROVIDER/NAME.");
  const target = findTarget(parsed.models[0], options);
  refuseUnready(target);
  return target;
}

/** One request that is answered by JSON. It is made again where it failed in passing. */
export async function postJson<Schema extends z.ZodType>(
  target: ModelTarget,
  call: Call<Schema>,
  options: EndpointOptions,
): Promise<z.output<Schema>> {
  const { retries = DEFAULTS.retries, retryBaseMs = DEFAULTS.retryBaseMs, retryMaxMs = DEFAULTS.retryMaxMs } = options;
  for (let attempt = 1; ; attempt++) {
    const sent = await send(target, call, options);
    if (sent.ok) {
      const read = call.answer.safeParse(sent.value);
      if (read.success) return read.data;
      throw failure(target, unusable(target), attempt);
    }
    if (!sent.failure.passing || attempt > retries || options.signal?.aborted)
      throw failure(target, sent.failure, attempt);
    const pauseMs = sent.failure.retryAfterMs ?? retryBaseMs * 2 ** (attempt - 1);
    await sleep(Math.min(pauseMs, retryMaxMs), undefined, { signal: options.signal }).catch(() => {});
  }
}

type Sent = { ok: true; value: unknown } | { ok: false; failure: ProviderFailure };

async function send(
  target: ModelTarget,
  { path, body, headers }: Pick<Call<z.ZodType>, "path" | "body" | "headers">,
  { timeoutMs = DEFAULTS.timeoutMs, signal }: EndpointOptions,
): Promise<Sent> {
  const { id, provider, settings } = target;
  const place = { id, provider, settings, withSchema: false, timeoutMs, idleMs: timeoutMs };
  const late = AbortSignal.timeout(timeoutMs);
  const fault = (error: unknown): Sent => {
    const cause = signal?.aborted ? "cancelled" : late.aborted ? "timeout" : "refused";
    return { ok: false, failure: describeFault({ kind: "fault", cause, error, receivedChars: null }, place) };
  };
  try {
    const response = await createPlainFetch(settings)(`${settings.baseUrl.replace(/\/+$/, "")}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(headers ?? (settings.key && { authorization: `Bearer ${settings.key}` })),
      },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const text = await readBounded(response);
    const value = parseJson(text);
    if (response.ok) return { ok: true, value };
    const { error, message } = Object(value) as { error?: unknown; message?: unknown };
    const said = Object(error).message ?? message ?? text.slice(0, 300);
    return fault({
      ...{ statusCode: response.status, message: String(said || response.statusText), data: value },
      responseHeaders: Object.fromEntries(response.headers),
    });
  } catch (error) {
    return fault(error);
  }
}

async function readBounded(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function unusable({ provider }: ModelTarget): Pick<ProviderFailure, "code" | "message" | "hint" | "status"> {
  const hint = `Check that the address of ${provider} is that of an API with this endpoint.`;
  return { code: "model.failed", message: "the answer does not have the expected shape", hint, status: null };
}

function failure(
  { id, provider }: ModelTarget,
  { code, message, hint, status }: Pick<ProviderFailure, "code" | "message" | "hint" | "status">,
  attempts: number,
): DrydockError {
  if (message === "cancelled") return new DrydockError("run.cancelled", `${id}: cancelled.`, "Start it again.");
  return new DrydockError(code, `${id}: ${message}`, hint, { model: id, provider, status, attempts });
}
