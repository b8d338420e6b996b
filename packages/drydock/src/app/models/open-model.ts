import { ModelAnswered, ModelFailed, type ModelUsage, type RunEvent } from "@drydock/protocol";
import {
  countScriptedUses,
  createBudget,
  createModel,
  type Model,
  type RetryNotice,
  type Spent,
} from "../../models/index.ts";
import type { GoalRequest } from "../goals/index.ts";
import type { ModelSettings } from "./config-models.ts";

/** The model that a run asks, within the run's budget; null where none is configured and none may be needed. */
export async function openModel(
  settings: ModelSettings,
  request: Pick<GoalRequest, "model" | "budget">,
  events: readonly RunEvent[],
  onNotice?: (text: string) => void,
): Promise<Model | null> {
  if (request.model === null) return null;
  const model = await createModel(request.model, {
    ...settings.options,
    used: countScriptedUses(events.map(scriptedOf)),
    onRetry: (notice) => onNotice?.(describeRetry(notice)),
  });
  const limits = { ...settings.budget, ...request.budget };
  if (limits.tokens === undefined && limits.usd === undefined) return model;
  return createBudget(limits, sumSpent(events.filter((event) => event.data.takenFrom === undefined))).limit(model);
}

export function describeRetry({ model, attempt, reason, delayMs }: RetryNotice): string {
  return `${model}: attempt ${attempt} failed: ${reason}; again in ${Math.ceil(delayMs / 1000)} s`;
}

function sumSpent(events: readonly RunEvent[]): Spent {
  const spent: Spent = { tokens: 0, usd: 0 };
  for (const usage of events.flatMap(usageOf)) {
    spent.tokens += usage.inputTokens + usage.outputTokens;
    spent.usd += usage.costUsd ?? 0;
  }
  return spent;
}

function usageOf(event: RunEvent): ModelUsage[] {
  if (event.type === "model.answered") return [ModelAnswered.parse(event.data).usage];
  const failed = event.type === "model.failed" ? ModelFailed.safeParse(event.data).data : undefined;
  return failed?.error.usage ? [failed.error.usage as ModelUsage] : [];
}

/** Requests that an answer, or the failure to get one, took. */
function countRequests({ type, data }: RunEvent): number {
  if (type === "model.answered") return ModelAnswered.parse(data).requests ?? 1;
  if (type !== "model.failed") return 0;
  const error = ModelFailed.safeParse(data).data?.error;
  return typeof error?.attempts === "number" ? error.attempts : error?.usage ? 1 : 0;
}

/** The answers of a script that a recorded call used up. */
function scriptedOf({ type, data }: RunEvent): { scripted?: number[] } {
  const used = type === "model.answered" ? data.scripted : type === "model.failed" ? Object(data.error).scripted : [];
  return Array.isArray(used) ? { scripted: used.filter((index) => typeof index === "number") } : {};
}

/** What all answers of a run took. */
export function sumUsage(events: readonly RunEvent[]) {
  const usages = events.flatMap(usageOf);
  const known = usages.every((usage) => usage.costUsd !== null);
  return {
    calls: events.reduce((sum, event) => sum + countRequests(event), 0),
    inputTokens: usages.reduce((sum, usage) => sum + usage.inputTokens, 0),
    outputTokens: usages.reduce((sum, usage) => sum + usage.outputTokens, 0),
    costUsd: known ? usages.reduce((sum, usage) => sum + (usage.costUsd ?? 0), 0) : null,
  };
}
