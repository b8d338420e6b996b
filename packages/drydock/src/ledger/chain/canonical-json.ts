/** Deeper than any honest value; what lies below is replaced, so that hostile nesting can't exhaust the stack. */
export const MAX_DEPTH = 128;

/**
 * JSON with one spelling for one value, as RFC 8785 lays down: keys sorted by UTF-16 code units, no spaces, numbers
 * and strings as ECMAScript writes them. Hashes cover this text, so that anybody can compute them again from an export.
 * What JSON can't hold is treated as `JSON.stringify` treats it, but for big integers, which become strings.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(Object.is(value, -0) ? 0 : value) : "null";
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return `"${value}"`;
    case "object":
      return value === null ? "null" : canonicalObject(value, depth);
    default:
      return "null";
  }
}

/** Texts of frozen values. Who freezes a value freezes all of it: policies go into every run, and are spelled once. */
const known = new WeakMap<object, string>();

function canonicalObject(value: object, depth: number): string {
  if (depth >= MAX_DEPTH) return '"[nested too deep]"';
  if (!Object.isFrozen(value)) return spell(value, depth);
  let text = known.get(value);
  if (text === undefined) {
    text = spell(value, depth);
    known.set(value, text);
  }
  return text;
}

function spell(value: object, depth: number): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`;
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON(), depth + 1);
  const record = value as Record<string, unknown>;
  let text = "";
  for (const key of Object.keys(record).sort()) {
    const item = record[key];
    if (item === undefined || typeof item === "function" || typeof item === "symbol") continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(item, depth + 1)}`;
  }
  return `{${text}}`;
}
