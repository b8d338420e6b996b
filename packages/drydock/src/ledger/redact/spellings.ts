/** Text without a character that any of these formats escapes. */
const SAME_EVERYWHERE = /^[A-Za-z0-9_.-]*$/;

/**
 * The value itself, as JSON, addresses, forms and HTML write it, in hexadecimal, and in base 64 at each of three positions.
 * Those that are long enough, each once.
 */
export function spellings(value: string, shortest: number): string[] {
  if (value.length < shortest) return [];
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const texts = [value, hex, hex.toUpperCase()];
  if (!SAME_EVERYWHERE.test(value)) texts.push(...inJson(value), ...inAddresses(value), ...inHtml(value));
  for (let before = 0; before < 3; before++) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Only the characters that no neighbouring byte has a part in.
    const from = Math.ceil((before * 8) / 6);
    const whole = encoded.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
    texts.push(whole, whole.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...new Set(texts)].filter((text) => text.length >= shortest);
}

/** Some writers escape slashes, and some whatever is not ASCII. */
function inJson(value: string): string[] {
  const usual = JSON.stringify(value).slice(1, -1);
  const ascii = usual.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [usual, ascii].flatMap((text) => [text, text.replaceAll("/", "\\/")]);
}

/** With `%20` or `+`, with more or fewer characters encoded, in upper or lower case. */
function inAddresses(value: string): string[] {
  const text = value.toWellFormed();
  const few = encodeURIComponent(text);
  const many = few.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  return [few, many, form].flatMap((each) => [each, each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function inHtml(value: string): string[] {
  const few = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = few.replaceAll('"', "&quot;");
  return [few, quoted.replaceAll("'", "&#39;"), quoted.replaceAll("'", "&#x27;"), few.replaceAll('"', "&#34;")];
}
