const VOID = new Set(["meta", "br"]);

export interface Markup {
  names: string[];
  attributes: [name: string, value: string][];
}

/** Reads a page by the strict rules that ours keep: each element closed, each attribute's value in quotes, no stray `<`. */
export function checkMarkup(page: string): Markup {
  const names: string[] = [];
  const attributes: [string, string][] = [];
  const open: string[] = [];
  const body = page.replace(/^<!doctype html>/, "").replace(/<style>[\s\S]*?<\/style>/, "");
  const tag = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][\w:-]*(?:="[^"<]*")?)*)\s*(\/?)>/y;
  for (let at = 0; at < body.length; ) {
    const next = body.indexOf("<", at);
    if (next < 0) break;
    tag.lastIndex = next;
    const found = tag.exec(body);
    if (!found) throw new Error(`No tag at: ${body.slice(next, next + 120)}`);
    const [whole, end = "", name = "", given = "", selfClosing = ""] = found;
    at = next + whole.length;
    if (end !== "") {
      const expected = open.pop();
      if (expected !== name)
        throw new Error(`</${name}> where </${expected}> should be: ${body.slice(next - 200, next + 40)}`);
      continue;
    }
    names.push(name);
    for (const [, attribute = "", value = ""] of given.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
      attributes.push([attribute, value]);
    }
    if (!VOID.has(name) && selfClosing === "") open.push(name);
  }
  if (open.length > 0) throw new Error(`Not closed: ${open.join(" ")}`);
  return { names, attributes };
}
