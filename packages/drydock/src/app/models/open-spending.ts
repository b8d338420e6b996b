import type { GoalUsage, ModelBudget, ModelUsage } from "@drydock/protocol";
import { type Budget, type CallMeter, createBudget } from "../../models/index.ts";

/** What the models of one run use, all kinds of calls together: within one budget, with one sum. */
export interface Spending {
  /** Null where there is no limit. */
  readonly budget: Budget | null;
  /** For calls that give no text. They are on record as `model.called`. */
  readonly meter: CallMeter;
  /** For answers, which are on record in runs of their own. */
  add(usage: ModelUsage, requests: number): void;
  /** Null where no model was asked. */
  total(): GoalUsage | null;
}

export function openSpending(limits: ModelBudget, meter: Pick<CallMeter, "begin" | "record">): Spending {
  const hasLimit = limits.tokens !== undefined || limits.usd !== undefined;
  const budget = hasLimit ? createBudget(limits) : null;
  let total: GoalUsage | null = null;
  const add = ({ inputTokens, outputTokens, costUsd }: ModelUsage, requests: number) => {
    const before: GoalUsage = total ?? { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    const cost = inputTokens + outputTokens === 0 ? 0 : costUsd;
    total = {
      calls: before.calls + requests,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
      costUsd: cost === null || before.costUsd === null ? null : before.costUsd + cost,
    };
  };
  return {
    budget,
    meter: {
      begin: meter.begin,
      reserve: budget?.reserve,
      async record(call) {
        // What the budget refused was not sent.
        if (call.error?.code !== "limit.budget") add(call.usage, 1);
        await meter.record(call);
      },
    },
    add,
    total: () => total,
  };
}
