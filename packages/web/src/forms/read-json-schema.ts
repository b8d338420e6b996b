import { defineField, type Field, type FieldOption } from "./field.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Longer texts get a field of several lines. */
const LINE_CHARS = 1000;

/** The fields of a form, from the JSON Schema of an object. What has no control of its own is entered as JSON: nothing is left out. */
export function readJsonSchema(schema: Schema): Field[] {
  const properties = Object(schema.properties) as Record<string, Schema>;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, property]) => {
    const { description, default: initial } = property;
    return defineField({
      ...kindOf(property),
      ...{ name, label: name, initial, isRequired: required.includes(name) && initial === undefined },
      description: typeof description === "string" ? description.replaceAll("`", "") : null,
    });
  });
}

function kindOf(property: Schema): Pick<Field, "kind"> & Partial<Field> {
  const { type, maxLength, items } = property;
  const choices = listChoices(property);
  if (choices) return { kind: "select", options: choices };
  if (type === "integer" || type === "number") return { kind: type };
  if (type === "boolean") return { kind: "boolean" };
  if (type === "string")
    return { kind: typeof maxLength === "number" && maxLength > LINE_CHARS ? "long-text" : "text" };
  if (type === "array" && (Object(items) as Schema).type === "string") return { kind: "list" };
  return { kind: "json" };
}

function listChoices({ enum: values }: Schema): FieldOption[] | null {
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string")) return null;
  return values.map((value: string) => ({ value, label: value }));
}
