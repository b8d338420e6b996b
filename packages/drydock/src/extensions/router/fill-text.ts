import { DrydockError, type ParameterValue } from "@drydock/protocol";

export type Values = Readonly<Record<string, ParameterValue>>;

export interface FillOptions {
  /** What `{{ input }}` stands for. */
  input?: string | undefined;
  /** What `{{ value }}` stands for, within `each` and `when`. */
  value?: ParameterValue | undefined;
}

const NAME = /\{\{\s*([a-z][a-z0-9_-]*)\s*\}\}/g;
const WHOLE = /^\{\{\s*([a-z][a-z0-9_-]*)\s*\}\}$/;

/** The names that a template of an extension uses. */
export function findNames(template: string): string[] {
  return [...template.matchAll(NAME)].map((match) => match[1] ?? "");
}

/** The name in a template that is nothing else. */
export function findWholeName(template: string): string | null {
  return WHOLE.exec(template)?.[1] ?? null;
}

/** A value by its name; undefined if it is not set. */
export function pickValue(name: string, values: Values, { input, value }: FillOptions): ParameterValue | undefined {
  if (name === "input") return input;
  if (name === "value" && value !== undefined) return value;
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

export function writeValue(value: ParameterValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Text with the values in it, in one pass: text in a value is never read as a template. A value that is not set is
 * empty.
 */
export function fillText(template: string, values: Values, options: FillOptions = {}): string {
  return template.replace(NAME, (_all, name: string) => {
    const value = pickValue(name, values, options);
    return value === undefined ? "" : writeValue(value);
  });
}

/** A fault of the extension, found while it is used. */
export function faultyTemplateError(template: string, problem: string): DrydockError {
  const hint = "This is a fault of the extension: see drydock ext lint.";
  return new DrydockError("extension.invalid", `The template ${template} ${problem}.`, hint);
}
