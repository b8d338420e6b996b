import { explainIssues } from "@drydock/protocol";
import * as z from "zod";

/** A value, or the same written as a JSON string, which is what some models send for anything that has parts. */
export function jsonOr<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.string()]).transform((value, context): z.output<T> => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const parsed = parseJson(String(value));
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
