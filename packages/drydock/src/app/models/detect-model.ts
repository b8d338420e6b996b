import { SUGGESTIONS } from "../../base/providers/index.ts";
import type { ProviderSettings } from "../../models/index.ts";

/** A model that is used without being named, because its provider's key is in the environment. */
export interface DetectedModel {
  model: string;
  /** Holds the key. */
  variable: string;
  /** One sentence: which model is used, and why. */
  reason: string;
}

/** A provider with a changed address and another protocol is skipped: the models of that server are not known. */
export function detectModel(providers: Readonly<Record<string, ProviderSettings>>): DetectedModel | null {
  const found = SUGGESTIONS.flatMap(({ provider, model }) => {
    const { key, keyVariable, api, problem } = providers[provider.name] ?? {};
    const isOwn = api === provider.api;
    return key && keyVariable && isOwn && problem === undefined ? [{ model, variable: keyVariable }] : [];
  });
  const [first, ...others] = found;
  if (!first) return null;
  const also = others.length === 0 ? "" : ` (so is ${others.map(({ variable }) => variable).join(" and ")})`;
  const reason = `${first.model} is used because ${first.variable} is set${also} and no model is configured. To choose another: drydock model add PROVIDER/NAME`;
  return { ...first, reason };
}
