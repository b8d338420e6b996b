import type { ModelBudget, ModelPrice } from "@drydock/protocol";
import { createBudget, findPrice, priceUsage, type TokenCount } from "../../models/index.ts";
import type { ModelCall } from "./read-model-call.ts";

/** What one request to a model used. */
export interface MeteredUse {
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  estimated: boolean;
}

/** The room that a budget leaves for one request. */
export interface MeteredCall {
  /** Set where the answer has to be shorter than the request allows, or the request sets no limit that a budget could be kept by. */
  maxOutputTokens: number | undefined;
  /** How long an answer the budget holds room for. */
  readonly reservedOutput: number;
  /** Called once. What the upstream did not say is taken for what was estimated. */
  settle(count: Partial<TokenCount>, isEstimated: boolean): MeteredUse;
  /** Called in its place where nothing was sent, or the upstream answered with an error. */
  cancel(): void;
}

export interface Meter {
  /** Waits for other requests under way where both do not fit. Rejects with `limit.budget`. */
  admit(call: ModelCall, signal: AbortSignal): Promise<MeteredCall>;
}

/** An answer whose request sets no limit is taken for at most so long. The models' own budget goes by the same. */
const USUAL_OUTPUT_TOKENS = 16_384;

export interface SharedBudget {
  limits: ModelBudget;
  budget: ReturnType<typeof createBudget>;
}

/** `shared` is the budget of the whole run; an upstream may have one of its own beside it. */
export function createMeter(
  shared: SharedBudget,
  own: ModelBudget,
  pricedAs: string,
  prices: Readonly<Record<string, ModelPrice>>,
): Meter {
  const budgets = [shared.budget, createBudget(own)];
  const isLimited = [shared.limits, own].some(({ tokens, usd }) => tokens !== undefined || usd !== undefined);
  return {
    async admit({ model, inputTokens, maxOutputTokens }, signal) {
      const id = `${pricedAs}/${model}`;
      const price = findPrice(id, prices);
      const most = maxOutputTokens ?? USUAL_OUTPUT_TOKENS;
      const reserved: Awaited<ReturnType<SharedBudget["budget"]["reserve"]>>[] = [];
      const settleAll = (usage: Parameters<(typeof reserved)[0]["settle"]>[0]) => {
        for (const each of reserved) each.settle(usage);
      };
      const nothing = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 };
      let room = most;
      try {
        for (const budget of budgets) {
          const next = await budget.reserve({ model: id, price, inputTokens, maxOutputTokens: room, signal });
          reserved.push(next);
          room = Math.min(room, next.maxOutputTokens ?? room);
        }
      } catch (error) {
        settleAll(nothing);
        throw error;
      }
      return {
        maxOutputTokens: room < most || (isLimited && maxOutputTokens === undefined) ? room : undefined,
        reservedOutput: room,
        settle({ input = inputTokens, output = 0, cacheRead = 0, cacheWrite = 0 }, estimated) {
          const usage = priceUsage({ input, output, cacheRead, cacheWrite }, price);
          settleAll(usage);
          const { outputTokens, costUsd } = usage;
          return { inputTokens: usage.inputTokens, outputTokens, costUsd, estimated };
        },
        cancel: () => settleAll(nothing),
      };
    },
  };
}
