export interface Field {
  /** Where it stands, for whoever has to find it. */
  where: string;
  name: string;
  description: string | undefined;
}

/** Values, not schemas: what stands there may look like one. */
const VALUES = new Set(["default", "const", "enum", "example", "examples", "required"]);

/** Every property of every JSON Schema in a document, and every parameter of an OpenAPI operation. */
export function listFields(node: unknown, where = ""): Field[] {
  if (Array.isArray(node)) return node.flatMap((each, index) => listFields(each, `${where}/${index}`));
  if (typeof node !== "object" || node === null) return [];
  const { properties, in: place, name, description } = node as Record<string, unknown>;
  const isParameter = typeof place === "string" && typeof name === "string";
  const own = isParameter ? [{ where, name, description: asText(description) }] : [];
  const fields = Object.entries(Object(properties)).flatMap(([field, schema]) => [
    { where: `${where}.${field}`, name: field, description: asText(Object(schema).description) },
    ...listFields(schema, `${where}.${field}`),
  ]);
  const others = Object.entries(node).filter(([key]) => key !== "properties" && !VALUES.has(key));
  return [...own, ...fields, ...others.flatMap(([key, each]) => listFields(each, `${where}/${key}`))];
}

/** What is wrong with the descriptions, one line each. */
export function findPoorDescriptions(fields: readonly Field[]): string[] {
  return fields.flatMap(({ where, name, description }) => {
    if (description === undefined || description.trim() === "") return [`${where}: no description`];
    const words = description.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word));
    if (simplify(description) === simplify(name)) return [`${where}: only its name: ${description}`];
    return words.length < 3 ? [`${where}: too short: ${description}`] : [];
  });
}

function simplify(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(the|a|an) /, "")
    .replaceAll(/[^a-z0-9]/g, "");
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
