/** `{{ name }}` in a text, with what stands inside; `null` where braces are opened and not closed. */
export function findNames(text: string): (string | null)[] {
  const names: (string | null)[] = [];
  let at = text.indexOf("{{");
  while (at >= 0) {
    const end = text.indexOf("}}", at + 2);
    if (end < 0) return [...names, null];
    names.push(text.slice(at + 2, end).trim());
    at = text.indexOf("{{", end + 2);
  }
  return names;
}

/** Every text in a JSON value, with its path. */
export function listTexts(value: unknown, path: PropertyKey[] = []): { path: PropertyKey[]; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => listTexts(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => listTexts(item, [...path, name]));
}
