import { join } from "node:path";
import { loadTemplates, type PromptTemplates } from "../../models/index.ts";

const PROMPT_NAMES = ["code-system", "code", "ask-system"] as const;

/** Prompts for models that write code. */
export type TaskPrompts = PromptTemplates<(typeof PROMPT_NAMES)[number]>;

/** @param overrides A directory with templates of the owner; it need not exist. */
export function loadTaskPrompts(overrides: string): TaskPrompts {
  const own = [import.meta.dirname, join(import.meta.dirname, "prompts")];
  return loadTemplates({ names: PROMPT_NAMES, own, overrides });
}
