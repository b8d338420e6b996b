import { setTimeout as sleep } from "node:timers/promises";
import { DrydockError, type ModelAnswer, type ModelPrice, type ModelUsage } from "@drydock/protocol";
import { shortenLine } from "../../base/text/index.ts";
import { askUntilUsable, type Draft } from "../correct-answer.ts";
import type { ModelRequest, Reservation } from "../model.ts";
import type { ModelName } from "../parse-model-spec.ts";
import { scrub } from "../scrub.ts";
import { addUsage, countInputChars, estimateTokens, NO_USAGE, priceUsage } from "../usage.ts";
import { type CallOutcome, callProvider } from "./call-provider.ts";
import { describeFault, type FaultContext, type ProviderFailure, WITHOUT_MODEL } from "./describe-fault.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { toSdkCall } from "./to-sdk-call.ts";
import { openSdkModel, type SdkModel } from "./wires.ts";

export interface Persistence {
  timeoutMs: number;
  idleMs: number;
  retries: number;
  retryBaseMs: number;
  /** A request fails if the provider demands a longer pause than this. */
  retryMaxMs: number;
  corrections: number;
  onRetry: ((notice: RetryNotice) => void) | undefined;
}

export interface RetryNotice {
  model: string;
  /** Of the request that failed, from 1. */
  attempt: number;
  reason: string;
  delayMs: number;
}

export interface ModelTarget extends ModelName {
  settings: ProviderSettings;
  price: ModelPrice | null;
}

/** Asks one model of one provider. Requests that fail in passing are made again. */
export function createProviderAsk(target: ModelTarget, persistence: Persistence) {
  let opened: Promise<SdkModel> | undefined;
  return (request: ModelRequest): Promise<ModelAnswer> => {
    refuseUnready(target);
    opened ??= openSdkModel(target.provider, target.name, target.settings).catch((error: unknown) => {
      throw cannotOpen(target, error);
    });
    const sdk = opened;
    return askUntilUsable(target.id, request, persistence.corrections, async (one) =>
      sendWithRetries(await sdk, target, one, persistence),
    );
  };
}

/** What can be known before anything is sent. */
export function refuseUnready({ id, provider, settings: { keyVariable, key, problem } }: ModelTarget): void {
  const data = { model: id, provider, status: null, attempts: 0 };
  if (problem !== undefined) {
    const hint = `Correct the settings of ${provider}, or choose another model.`;
    throw new DrydockError("model.unavailable", `${id}: ${problem}`, hint, data);
  }
  if (keyVariable === undefined || key) return;
  throw new DrydockError(
    "model.unavailable",
    `${id}: there is no key for ${provider}.`,
    `Set the environment variable: export ${keyVariable}=…\nOr choose another model: --model PROVIDER/NAME, or \`drydock model add PROVIDER/NAME\` for good; \`drydock model list\` shows which keys are found. ${WITHOUT_MODEL}`,
    { ...data, keyVariable },
  );
}

/** The packages look at the environment when they are loaded, and some of what stands there makes them fail. */
function cannotOpen({ id, provider, settings }: ModelTarget, error: unknown): DrydockError {
  const reason = scrub(error instanceof Error ? error.message : String(error), settings.key);
  const hint = `Check the address and the key of ${provider}, in config.yaml and in the environment.`;
  const data = { model: id, provider, status: null, attempts: 0 };
  return new DrydockError(
    "model.unavailable",
    `${id}: the provider can't be initialized: ${shortenLine(reason, 300)}`,
    hint,
    data,
  );
}

async function sendWithRetries(
  sdk: SdkModel,
  target: ModelTarget,
  request: ModelRequest,
  persistence: Persistence,
): Promise<Draft> {
  const place: FaultContext = { ...target, withSchema: request.output !== undefined, ...persistence };
  let usage = NO_USAGE;
  for (let attempt = 1; ; attempt++) {
    if (request.signal?.aborted) throw cancelled(target, usage, attempt - 1);
    const sent = await send(sdk, target, request, persistence);
    usage = addUsage(usage, sent.usage);
    if (sent.outcome.kind === "reply") {
      const { text, toolCalls, finish } = sent.outcome.reply;
      return { text, toolCalls, finish, usage, requests: attempt };
    }
    if (request.signal?.aborted) throw cancelled(target, usage, attempt);
    const failure = describeFault(sent.outcome, place);
    const delayMs = computeDelay(failure, attempt, persistence);
    if (delayMs === null) throw toError(target, failure, attempt, usage);
    persistence.onRetry?.({ model: target.id, attempt, reason: failure.message, delayMs });
    await sleep(delayMs, undefined, { signal: request.signal }).catch(() => {
      throw cancelled(target, usage, attempt);
    });
  }
}

/** One request, from the reservation of what it may use to the settlement of what it did. */
async function send(sdk: SdkModel, target: ModelTarget, request: ModelRequest, { timeoutMs, idleMs }: Persistence) {
  const { signal, onText, meter } = request;
  const inputTokens = estimateTokens(countInputChars(request));
  const wanted = {
    model: target.id,
    price: target.price,
    inputTokens,
    maxOutputTokens: request.maxOutputTokens,
    signal,
  };
  const granted: Reservation | undefined = await meter?.reserve(wanted);
  const allowed = granted ? { ...request, maxOutputTokens: granted.maxOutputTokens } : request;
  let usage = NO_USAGE;
  try {
    const call = toSdkCall(allowed, target.settings);
    const outcome = await callProvider(sdk, call, { timeoutMs, idleMs, signal, onText });
    usage = measure(outcome, inputTokens, target.price);
    return { outcome, usage };
  } finally {
    granted?.settle(usage);
  }
}

/** What the provider counted; where it does not say, or its stream was cut, an estimate. */
function measure(outcome: CallOutcome, inputTokens: number, price: ModelPrice | null): ModelUsage {
  const estimated = (chars: number) => ({
    input: inputTokens,
    output: estimateTokens(chars),
    cacheRead: 0,
    cacheWrite: 0,
  });
  if (outcome.kind === "fault") {
    return outcome.receivedChars === null ? NO_USAGE : priceUsage(estimated(outcome.receivedChars), price);
  }
  const { text, toolCalls, tokens } = outcome.reply;
  const chars = text.length + toolCalls.reduce((sum, { input }) => sum + input.length, 0);
  return priceUsage(tokens ?? estimated(chars), price);
}

/** Doubles each time, shortened at random by up to half so that many who failed together do not come back together. */
function computeDelay({ passing, retryAfterMs }: ProviderFailure, attempt: number, limits: Persistence): number | null {
  if (!passing || attempt > limits.retries) return null;
  if (retryAfterMs !== null) return retryAfterMs > limits.retryMaxMs ? null : retryAfterMs;
  const full = Math.min(limits.retryBaseMs * 2 ** (attempt - 1), limits.retryMaxMs);
  return full * (0.5 + Math.random() / 2);
}

function toError(
  { id, provider }: ModelTarget,
  failure: ProviderFailure,
  attempts: number,
  usage: ModelUsage,
): DrydockError {
  const times = attempts === 1 ? "" : ` (${attempts} attempts)`;
  const data = { model: id, provider, status: failure.status, attempts, usage };
  return new DrydockError(failure.code, `${id}: ${failure.message}${times}`, failure.hint, data);
}

function cancelled({ id, provider }: ModelTarget, usage: ModelUsage, attempts: number): DrydockError {
  const data = { model: id, provider, attempts, usage };
  return new DrydockError(
    "run.cancelled",
    `${id}: the request was cancelled.`,
    "Ask again when you want to go on.",
    data,
  );
}
