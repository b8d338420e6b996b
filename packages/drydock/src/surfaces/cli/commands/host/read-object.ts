import { DrydockError } from "@drydock/protocol";

/** The JSON object that an option holds; an empty one where the option is not given. */
export function readObject(option: string, text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new DrydockError("input.invalid", `${option} is not a JSON object.`, `Write it as '{"greeting": "Hello"}'.`);
}
