import { explainIssues } from "@drydock/protocol";
import * as z from "zod";
import { isTooDeep, MAX_LEVELS } from "../../base/json-schema/index.ts";

export const TOO_DEEP = `is nested more than ${MAX_LEVELS} levels deep`;

/** A value, or the same written as a JSON string, which is what some models send for anything that has parts. */
export function jsonOr<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.string()]).transform((value, context): z.output<T> => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const parsed = parseJson(String(value));
    if (isTooDeep(parsed)) {
      context.addIssue({ code: "custom", message: TOO_DEEP });
      return z.NEVER;
    }
    const again = parsed === undefined ? read : schema.safeParse(parsed.value);
    if (again.success) return again.data;
    context.addIssue({ code: "custom", message: describe(parsed !== undefined, again.error) });
    return z.NEVER;
  });
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function describe(isJson: boolean, error: z.ZodError): string {
  if (!isJson) return "a string here must be JSON, and this is not";
  return explainIssues(error.issues, "value").join("; ");
}
