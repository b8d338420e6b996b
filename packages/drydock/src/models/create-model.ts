import { DrydockError, type ModelPrice, type ModelUsage } from "@drydock/protocol";
import { findProvider, PROVIDERS } from "../base/providers/index.ts";
import { findNearestWord } from "../base/text/index.ts";
import type { Model, ModelRequest } from "./model.ts";
import { type ModelName, parseModelSpec } from "./parse-model-spec.ts";
import { findPrice } from "./prices.ts";
import {
  createProviderAsk,
  type ModelTarget,
  type Persistence,
  type RetryNotice,
  refuseUnready,
} from "./providers/ask-provider.ts";
import type { ProviderSettings } from "./providers/provider-settings.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { addUsage, NO_USAGE } from "./usage.ts";

export interface ModelOptions {
  /** By name. Those of `base/providers` are known without, but have no key then. */
  providers?: Readonly<Record<string, ProviderSettings>>;
  /** By `provider/name` or `provider/*`; they win over the table that comes with Drydock. */
  prices?: Readonly<Record<string, ModelPrice>>;
  /** One request, from start to end. Default 600,000. */
  timeoutMs?: number;
  /** The longest silence within a request. Default 180,000. */
  idleMs?: number;
  /** How often a request that failed in passing is made again. Default 4. */
  retries?: number;
  /** The first pause before that; it doubles each time. Default 1,000. */
  retryBaseMs?: number;
  /** The longest pause, also where the provider asks for a longer one. Default 60,000. */
  retryMaxMs?: number;
  /** How often an answer that can't be used is sent back with the reason. Default 2. */
  corrections?: number;
  /** How often each scripted answer was used already, by its index: see `countScriptedUses`. */
  used?: ReadonlyMap<number, number>;
  onRetry?: (notice: RetryNotice) => void;
}

/**
 * The model of a specification: `provider/name`, several of them (an array, or with commas) as fallbacks in that order,
 * or `scripted:FILE`. Rejects if none of them is usable, so that nothing starts that can't go on.
 */
export async function createModel(spec: string | readonly string[], options: ModelOptions = {}): Promise<Model> {
  const parsed = parseModelSpec(spec);
  if (parsed.kind === "scripted") return createScriptedModel(parsed.file, options);
  const targets = parsed.models.map((name) => findTarget(name, options));
  const unusable = targets.map(findProblem);
  if (unusable.every((problem) => problem !== null)) throw unusable[0];
  const persistence: Persistence = {
    timeoutMs: options.timeoutMs ?? 600_000,
    idleMs: options.idleMs ?? 180_000,
    retries: options.retries ?? 4,
    retryBaseMs: options.retryBaseMs ?? 1_000,
    retryMaxMs: options.retryMaxMs ?? 60_000,
    corrections: options.corrections ?? 2,
    onRetry: options.onRetry,
  };
  const asks = targets.map((target) => createProviderAsk(target, persistence));
  return { id: targets.map(({ id }) => id).join(","), scripted: false, ask: (request) => askInOrder(asks, request) };
}

export function findTarget(name: ModelName, { providers = {}, prices }: ModelOptions): ModelTarget {
  const own = Object.hasOwn(providers, name.provider) ? providers[name.provider] : undefined;
  const settings = own ?? findProvider(name.provider);
  if (settings) return { ...name, settings, price: findPrice(name.id, prices) };
  const names = [...new Set([...PROVIDERS.map((provider) => provider.name), ...Object.keys(providers)])];
  const meant = findNearestWord(name.provider, names);
  throw new DrydockError(
    "model.unavailable",
    `${name.id}: there is no provider ${JSON.stringify(name.provider)}.`,
    `${meant ? `Did you mean ${meant}/${name.name}? ` : ""}Known: ${names.join(", ")}. Another one needs models.providers.${name.provider}.baseUrl in config.yaml: drydock model add ${name.id} --base-url URL`,
    { model: name.id, provider: name.provider, status: null, attempts: 0 },
  );
}

function findProblem(target: ModelTarget): unknown {
  try {
    refuseUnready(target);
    return null;
  } catch (error) {
    return error;
  }
}

/** The first that answers. A budget and the caller's own end are no failures of a model. */
async function askInOrder(asks: readonly ReturnType<typeof createProviderAsk>[], request: ModelRequest) {
  const failures: DrydockError[] = [];
  for (const ask of asks) {
    try {
      const answer = await ask(request);
      if (failures.length === 0) return answer;
      const usage = failures.map(readUsage).reduce(addUsage, answer.usage);
      return { ...answer, usage, requests: countAttempts(failures) + (answer.requests ?? 1) };
    } catch (error) {
      if (!(error instanceof DrydockError) || !error.code.startsWith("model.")) throw error;
      failures.push(error);
    }
  }
  throw mergeFailures(failures);
}

function mergeFailures(failures: readonly DrydockError[]): DrydockError {
  const [first, ...others] = failures;
  if (!first) throw new TypeError("A model without providers can't be used.");
  if (others.length === 0) return first;
  const code = failures.every((failure) => failure.code === "model.unavailable") ? "model.unavailable" : "model.failed";
  const tried = failures.map(({ code, message, data }) => ({ code, message, model: data.model, status: data.status }));
  const message = `None of the ${failures.length} models answered. ${failures.map((one) => one.message).join(" — ")}`;
  const usage = failures.map(readUsage).reduce(addUsage);
  return new DrydockError(code, message, first.hint, {
    ...first.data,
    usage,
    attempts: countAttempts(failures),
    tried,
  });
}

/** Requests that were really sent. */
function countAttempts(failures: readonly DrydockError[]): number {
  return failures.reduce((sum, { data }) => sum + Number(data.attempts ?? 0), 0);
}

function readUsage({ data }: DrydockError): ModelUsage {
  return (data.usage as ModelUsage | undefined) ?? NO_USAGE;
}
