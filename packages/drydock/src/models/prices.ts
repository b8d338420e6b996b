import type { ModelPrice } from "@drydock/protocol";
import { findProvider } from "../base/providers/index.ts";

/** `-20250929`, `-2025-08-07` and `-latest` name a version of the model that stands in the table. */
const VERSION = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest|0)$/;

type Prices = Readonly<Record<string, ModelPrice>>;

/** By `provider/name`; null: unknown. The owner's prices are looked at first, as a whole. */
export function findPrice(model: string, own: Prices = {}): ModelPrice | null {
  const at = model.indexOf("/");
  const provider = model.slice(0, at);
  return lookUp(own, model, `${provider}/*`) ?? lookUp(findProvider(provider)?.prices ?? {}, model.slice(at + 1), "*");
}

function lookUp(prices: Prices, model: string, any: string): ModelPrice | null {
  const name = [model, model.replace(VERSION, ""), any].find((each) => Object.hasOwn(prices, each));
  return name === undefined ? null : (prices[name] ?? null);
}
