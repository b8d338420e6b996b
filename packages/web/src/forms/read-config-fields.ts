import { ConfigField } from "@drydock/protocol/runner";
import type { Language } from "../words/languages.ts";
import { defineField, type Field, type FieldKind, type FieldOption } from "./field.ts";
import { pickText } from "./pick-text.ts";

const KINDS: Readonly<Record<ConfigField["type"], FieldKind>> = {
  string: "text",
  text: "long-text",
  integer: "integer",
  float: "number",
  boolean: "boolean",
  secret: "secret",
  select: "select",
  "array[string]": "list",
  json: "json",
  "model-fallback-selector": "models",
  "llm-model-selector": "model",
  "select-llm-model": "model",
  "rerank-model-selector": "model",
  "knowledge-base-multi-selector": "choices",
  "select-knowledge-bases": "choices",
  "prompt-editor": "prompt",
  file: "file",
  "array[file]": "files",
};

/** Fields of these names are only shown. */
const SYSTEM = "__system.";

/** What can be chosen in a form for an agent. */
export interface Choices {
  models: readonly FieldOption[];
  knowledge: readonly FieldOption[];
  secrets: readonly FieldOption[];
  /** What lists of texts offer, by the name of the field. */
  lists: Readonly<Record<string, readonly FieldOption[]>>;
}

/** The form of a runner, as its manifest describes it. What can't be understood is entered as JSON: nothing is left out. */
export function readConfigFields(
  schema: readonly Record<string, unknown>[],
  choices: Choices,
  language: Language,
): Field[] {
  return schema.map((raw) => {
    const read = ConfigField.safeParse(raw);
    return read.success ? toField(read.data, choices, language) : toUnknown(raw);
  });
}

function toField(field: ConfigField, choices: Choices, language: Language): Field {
  const { name, type, label, description, required, options, show_if, disabled_tooltip } = field;
  const isDisplayOnly = name.startsWith(SYSTEM);
  return defineField({
    ...{ name, kind: KINDS[type], isRequired: required && !isDisplayOnly, isDisplayOnly },
    label: pickText(label, language) ?? name,
    description: pickText(description, language),
    initial: field.default,
    options: options
      ? options.map((each) => ({ value: each.name, label: pickText(each.label, language) ?? each.name }))
      : offeredTo(field, choices),
    showIf: show_if ? { field: show_if.field, value: show_if.value } : null,
    lock: pickText(disabled_tooltip, language),
  });
}

function offeredTo(
  { type, name }: ConfigField,
  { models, knowledge, secrets, lists }: Choices,
): readonly FieldOption[] {
  const kind = KINDS[type];
  if (kind === "model" || kind === "models") return models;
  if (kind === "choices") return knowledge;
  if (kind === "secret") return secrets;
  return kind === "list" && Object.hasOwn(lists, name) ? (lists[name] ?? []) : [];
}

function toUnknown(raw: Record<string, unknown>): Field {
  const name = String(raw.name ?? "");
  return defineField({ name, kind: "json", label: name, isDisplayOnly: name === "", initial: raw.default });
}
