import * as z from "zod";
import { LocaleMap } from "./locale-map.ts";

/** Kinds of fields, with the spellings of earlier versions. */
const FIELD_TYPES = [
  ...["string", "text", "integer", "float", "boolean", "secret", "select", "array[string]", "json"],
  ...["model-fallback-selector", "llm-model-selector", "select-llm-model", "rerank-model-selector"],
  ...["knowledge-base-multi-selector", "select-knowledge-bases", "prompt-editor", "file", "array[file]"],
] as const;

/** Values by which forms say that nothing is selected. */
export const NO_SELECTION: readonly string[] = ["", "__none__", "__none"];

/** One field of the form for an agent's settings. Fields whose names begin with `__system.` are only shown. */
export const ConfigField = z.looseObject({
  id: z.string().min(1).optional().describe("Default: the runner's id, a dot and the name."),
  name: z.string().min(1).max(255),
  type: z.enum(FIELD_TYPES),
  label: LocaleMap.optional(),
  description: LocaleMap.optional(),
  required: z.boolean().default(false),
  default: z.unknown().optional(),
  options: z.array(z.object({ name: z.string(), label: LocaleMap.optional() })).optional(),
  show_if: z.object({ field: z.string(), value: z.unknown() }).optional(),
  disabled_tooltip: LocaleMap.optional(),
});
export type ConfigField = z.infer<typeof ConfigField>;
