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
  /** Set where the answer has to be shorter than the request allows. */
  maxOutputTokens: number | undefined;
  /** Called once. Null: the upstream did not say what it counted, and `estimate` holds. */
  settle(count: TokenCount | null, estimate: Pick<TokenCount, "output">): MeteredUse;
  /** Called in its place where nothing was sent, or the upstream answered with an error. */
  cancel(): void;
}

export interface Meter {
  /** Waits for other requests under way where both do not fit. Rejects with `limit.budget`. */
  admit(call: ModelCall, signal: AbortSignal): Promise<MeteredCall>;
}

/** An answer whose request sets no limit is taken for at most so long. The models' own budget goes by the same. */
const USUAL_OUTPUT_TOKENS = 16_384;

/** `shared` is the budget of the whole run; an upstream may have one of its own beside it. */
export function createMeter(
  shared: ReturnType<typeof createBudget>,
  own: ModelBudget,
  pricedAs: string,
  prices: Readonly<Record<string, ModelPrice>>,
): Meter {
  const budgets = [shared, createBudget(own)];
  return {
    async admit({ model, inputTokens, maxOutputTokens }, signal) {
      const id = `${pricedAs}/${model}`;
      const price = findPrice(id, prices);
      const most = maxOutputTokens ?? USUAL_OUTPUT_TOKENS;
      const reserved: Awaited<ReturnType<(typeof shared)["reserve"]>>[] = [];
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
        maxOutputTokens: room < most ? room : undefined,
        settle(count, estimate) {
          const used = count ?? { input: inputTokens, cacheRead: 0, cacheWrite: 0, ...estimate };
          const usage = priceUsage(used, price);
          settleAll(usage);
          const { inputTokens: input, outputTokens, costUsd } = usage;
          return { inputTokens: input, outputTokens, costUsd, estimated: count === null };
        },
        cancel: () => settleAll(nothing),
      };
    },
  };
}
