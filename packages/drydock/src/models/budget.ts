import { DrydockError, type ModelBudget, type ModelPrice, type ModelUsage } from "@drydock/protocol";
import type { BudgetRequest, Meter, Model, Reservation } from "./model.ts";
import { priceUsage } from "./usage.ts";

export interface Spent {
  /** Input and output. */
  tokens: number;
  usd: number;
}

export interface Budget {
  /** The same model, whose requests go out only where what they may use is left. */
  limit(model: Model): Model;
  /** For requests that are not a model's of this process. Rejects with `limit.budget`. */
  reserve: Meter["reserve"];
  spent(): Spent;
}

/** Where a request sets no limit of its own, it gets this one: what can't be foreseen can't be kept to. */
const DEFAULT_OUTPUT_TOKENS = 16_384;
/** An answer that has room for less than this is not worth its input. */
const LEAST_OUTPUT_TOKENS = 256;

/**
 * A budget for all requests of one run, those made at the same time included. Before a request, its input is estimated
 * and its longest answer reserved; what does not fit waits for other requests that are under way, then gets a shorter
 * answer, then is refused with `limit.budget`. `spent` is what the run had used before, from its ledger.
 */
export function createBudget(limits: ModelBudget, spent: Partial<Spent> = {}): Budget {
  const used: Spent = { tokens: spent.tokens ?? 0, usd: spent.usd ?? 0 };
  const pending = new Set<Spent>();
  let waiting: (() => void)[] = [];

  const left = (): Spent => {
    const held = [...pending].reduce((sum, one) => ({ tokens: sum.tokens + one.tokens, usd: sum.usd + one.usd }), {
      tokens: 0,
      usd: 0,
    });
    return {
      tokens: (limits.tokens ?? Number.POSITIVE_INFINITY) - used.tokens - held.tokens,
      usd: (limits.usd ?? Number.POSITIVE_INFINITY) - used.usd - held.usd,
    };
  };

  const settle = (held: Spent, usage: ModelUsage) => {
    pending.delete(held);
    used.tokens += usage.inputTokens + usage.outputTokens;
    used.usd += usage.costUsd ?? 0;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };

  const meter: Meter = {
    async reserve(wanted): Promise<Reservation> {
      if (limits.usd !== undefined && wanted.price === null) throw unknownPrice(wanted);
      const most = wanted.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS;
      let room = countRoom(wanted, left());
      while (room < most && pending.size > 0) {
        await untilSettled(waiting, wanted.signal);
        room = countRoom(wanted, left());
      }
      if (room < Math.min(most, LEAST_OUTPUT_TOKENS)) throw exceeded(limits, used, wanted);
      const maxOutputTokens = Math.min(most, room);
      const held = price(wanted, maxOutputTokens);
      pending.add(held);
      return { maxOutputTokens, settle: (usage) => settle(held, usage) };
    },
  };

  return {
    limit: (model) => ({
      id: model.id,
      scripted: model.scripted,
      ask: (request) => model.ask({ ...request, meter }),
    }),
    reserve: meter.reserve,
    spent: () => ({ ...used }),
  };
}

/** How many tokens of output still fit, besides the input. */
function countRoom({ inputTokens, price: known }: BudgetRequest, left: Spent): number {
  const byTokens = left.tokens - inputTokens;
  if (!Number.isFinite(left.usd) || known === null) return Math.floor(byTokens);
  const afterInput = left.usd - (inputTokens * dearestInput(known)) / 1_000_000;
  if (afterInput < 0) return -1;
  const byMoney = known.output === 0 ? Number.POSITIVE_INFINITY : (afterInput * 1_000_000) / known.output;
  return Math.floor(Math.min(byTokens, byMoney));
}

function price({ inputTokens, price: known }: BudgetRequest, outputTokens: number): Spent {
  const input = known === null ? null : { ...known, input: dearestInput(known) };
  const usage = priceUsage({ input: inputTokens, output: outputTokens, cacheRead: 0, cacheWrite: 0 }, input);
  return { tokens: inputTokens + outputTokens, usd: usage.costUsd ?? 0 };
}

/** Input may have to be put into the provider's cache, which costs more. */
function dearestInput({ input, cacheWrite }: ModelPrice): number {
  return Math.max(input, cacheWrite ?? 0);
}

function untilSettled(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      reject(new DrydockError("run.cancelled", "The request was cancelled.", "Ask again when you want to go on."));
    };
    if (signal?.aborted) return cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    waiting.push(() => {
      signal?.removeEventListener("abort", cancel);
      resolve();
    });
  });
}

function unknownPrice({ model }: BudgetRequest): DrydockError {
  return new DrydockError(
    "limit.budget",
    `${model}: the price is unknown, so a budget in US dollars can't be enforced.`,
    `Add models.prices."${model}": { input: USD, output: USD } (per million tokens) to config.yaml, or set a budget in tokens instead.`,
    { model },
  );
}

function exceeded(limits: ModelBudget, used: Spent, { model, inputTokens }: BudgetRequest): DrydockError {
  const shown = [
    ...(limits.tokens === undefined ? [] : [`${used.tokens} of ${limits.tokens} tokens`]),
    ...(limits.usd === undefined ? [] : [`${used.usd.toFixed(4)} of ${limits.usd} USD`]),
  ];
  return new DrydockError(
    "limit.budget",
    `${model}: the next request (about ${inputTokens} tokens and an answer) would exceed the run's budget: ${shown.join(" and ")} used.`,
    "Raise models.budget in config.yaml or the run's own budget, then resume the run.",
    { model, budget: { ...limits }, spent: { ...used }, inputTokens },
  );
}
