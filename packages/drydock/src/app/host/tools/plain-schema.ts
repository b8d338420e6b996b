/** Keywords whose cost is bounded by the value that they are held against, whoever wrote the schema. */
const PLAIN = new Set([
  ...["type", "enum", "const", "required", "additionalProperties", "minimum", "maximum", "exclusiveMinimum"],
  ...["exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
]);
const MAX_DEPTH = 32;

/**
 * Of a schema that an MCP server sent, what can be checked here safely. Patterns and references can be made to take for
 * ever, and are left out: the server checks its arguments itself.
 */
export function toPlainSchema(schema: unknown, depth = 0): Record<string, unknown> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema) || depth > MAX_DEPTH) return {};
  const plain: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties" && typeof value === "object" && value !== null) {
      const inner = Object.entries(value).map(([name, one]) => [name, toPlainSchema(one, depth + 1)]);
      plain.properties = Object.fromEntries(inner);
    } else if (keyword === "items" && typeof value === "object") plain.items = toPlainSchema(value, depth + 1);
    else if (keyword === "additionalProperties" && typeof value === "object")
      plain.additionalProperties = toPlainSchema(value, depth + 1);
    else if (PLAIN.has(keyword)) plain[keyword] = value;
  }
  // A property that only a pattern allows must not be refused here.
  if ("patternProperties" in schema) delete plain.additionalProperties;
  return plain;
}
