import { DrydockError } from "@drydock/protocol";
import { type ConfigField, NO_SELECTION, type RunnerManifest } from "@drydock/protocol/runner";
import { findNearestWord } from "../../base/text/index.ts";
import { parseModelSpec } from "../../models/index.ts";
import { BOX_TOOLS, SKILL_TOOLS } from "../boxes/index.ts";
import { SANDBOX_TOOLS } from "./tools/sandbox-source.ts";

type Form = Pick<RunnerManifest, "config_schema">;

/*
 * What is mistyped would silently do nothing. A setting that the form does not have may be one of a later version, and a tool
 * that is not there may come with an extension: such names are refused only where they are nearly those of something else.
 */

/** Refuses settings that are misspelled, and values that are not of the field's type. */
export function checkSettings({ config_schema: fields }: Form, config: Record<string, unknown>): void {
  const names = fields.map(({ name }) => name);
  for (const [name, value] of Object.entries(config)) {
    const field = fields.find((each) => each.name === name);
    const meant = field ? undefined : findNearestWord(name, names);
    if (meant !== undefined) throw misspelled(`The runner has no setting ${name}.`, meant, names);
    const wanted = field && wantedValue(field, value);
    if (!wanted) continue;
    const hint = `Write it without quotation marks in the JSON object, such as {"${name}": ${wanted.example}}.`;
    throw new DrydockError("input.invalid", `The setting ${name} must be ${wanted.kind}.`, hint, { field: name });
  }
}

function wantedValue({ type }: ConfigField, value: unknown): { kind: string; example: string } | null {
  if (value === null || NO_SELECTION.includes(value as string)) return null;
  if (type === "integer" && !Number.isInteger(value)) return { kind: "a whole number", example: "5" };
  if (type === "float" && typeof value !== "number") return { kind: "a number", example: "0.5" };
  if (type === "boolean" && typeof value !== "boolean") return { kind: "true or false", example: "true" };
  return null;
}

/** Refuses names of tools that are misspelled. */
export function checkTools(
  tools: readonly string[],
  mcpServers: readonly { name: string }[],
  ofExtensions: readonly { name: string }[],
): void {
  const known = [...SANDBOX_TOOLS, ...BOX_TOOLS, ...SKILL_TOOLS, ...ofExtensions.map(({ name }) => name)];
  for (const tool of tools) {
    if (known.includes(tool) || mcpServers.some(({ name }) => tool.startsWith(`${name}__`))) continue;
    const meant = findNearestWord(tool, known);
    if (meant !== undefined) throw misspelled(`There is no tool ${tool}.`, meant, known);
  }
}

/** Refuses what can't be the name of a model. */
export function checkModels(models: readonly string[]): void {
  for (const model of models) parseModelSpec(model);
}

function misspelled(message: string, meant: string, known: readonly string[]): DrydockError {
  return new DrydockError("input.invalid", message, `Did you mean ${meant}? There are: ${known.join(", ")}.`);
}
