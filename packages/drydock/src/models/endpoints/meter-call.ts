import { DrydockError, type ModelCalled, type ModelUsage } from "@drydock/protocol";
import type { Meter } from "../model.ts";
import type { ModelTarget } from "../providers/ask-provider.ts";
import { estimateTokens, NO_USAGE, priceUsage } from "../usage.ts";

/** Who pays for calls of models that give no text, and where they are on record. */
export interface CallMeter {
  /** Called before anything is sent: what is to hold the record is there then. Gives what ends the call. */
  begin?(): Promise<AbortSignal | undefined>;
  /** Rejects with `limit.budget`, and nothing is sent. */
  reserve?: Meter["reserve"] | undefined;
  record(call: ModelCalled): Promise<void>;
}

export interface MeteredCall<Answer> {
  purpose: ModelCalled["purpose"];
  /** Texts that it is about. */
  inputs: number;
  /** Characters that the model reads; 0 for a call that costs nothing. */
  chars: number;
  send(signal: AbortSignal | undefined): Promise<Answer>;
  /** Tokens as the server has counted them; null where it does not say. */
  readTokens(answer: Answer): number | null;
}

/** Makes one call within the budget, and puts it on record with what it used, failed or not. */
export async function meterCall<Answer>(
  target: ModelTarget,
  call: MeteredCall<Answer>,
  { meter, signal: outer }: { meter?: CallMeter; signal?: AbortSignal },
): Promise<Answer> {
  const { purpose, inputs, chars, send, readTokens } = call;
  if (!meter) return send(outer);
  const stop = await meter.begin?.();
  const signal = stop && outer ? AbortSignal.any([stop, outer]) : (stop ?? outer);
  const sinceMs = performance.now();
  const report = (usage: ModelUsage, more: Pick<ModelCalled, "isEstimated"> | Pick<ModelCalled, "error">) => {
    const durationMs = Math.round(performance.now() - sinceMs);
    return meter.record({ model: target.id, purpose, inputs, usage, isEstimated: false, durationMs, ...more });
  };
  const inputTokens = chars === 0 ? 0 : estimateTokens(chars);
  let settle: ((usage: ModelUsage) => void) | undefined;
  let answer: Answer;
  try {
    if (chars > 0 && meter.reserve) {
      const wanted = { model: target.id, price: target.price, inputTokens, maxOutputTokens: 0, signal };
      settle = (await meter.reserve(wanted)).settle;
    }
    answer = await send(signal);
  } catch (error) {
    settle?.(NO_USAGE);
    if (error instanceof DrydockError) await report(NO_USAGE, { error: error.toInfo() });
    throw error;
  }
  const counted = readTokens(answer);
  const isEstimated = counted === null && chars > 0;
  const input = chars === 0 ? 0 : (counted ?? inputTokens);
  const usage = input === 0 ? NO_USAGE : priceUsage({ input, output: 0, cacheRead: 0, cacheWrite: 0 }, target.price);
  settle?.(usage);
  await report(usage, { isEstimated });
  return answer;
}
