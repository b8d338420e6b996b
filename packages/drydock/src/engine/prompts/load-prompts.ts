import { join } from "node:path";
import { loadTemplates, type PromptTemplates } from "../../models/index.ts";

const PROMPT_NAMES = ["plan-system", "plan", "work-system", "work"] as const;

/** Prompts for planners and workers. */
export type Prompts = PromptTemplates<(typeof PROMPT_NAMES)[number]>;

/** @param overrides A directory with templates of the owner; it need not exist. */
export function loadPrompts(overrides: string): Prompts {
  const own = [import.meta.dirname, join(import.meta.dirname, "prompts")];
  return loadTemplates({ names: PROMPT_NAMES, own, overrides });
}
