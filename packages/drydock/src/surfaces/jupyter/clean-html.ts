/**
 * HTML that a cell made is shown in the owner's browser, in a page that can start programs on the owner's machine: whatever
 * could act there would have left the sandbox. So the text is taken apart, and only what is known to be a picture of
 * words and tables is written again; everything else is dropped or shown as the text that it is.
 */
const SHOWN = new Set(
  `table thead tbody tfoot tr th td caption div span p b i em strong u s sub sup small br hr pre code ul ol li dl dt dd
  blockquote h1 h2 h3 h4 h5 h6`.split(/\s+/),
);
const WITHOUT_END = new Set(["br", "hr"]);
/** Their contents are no text for people. */
const SKIPPED = new Set([
  "style",
  "script",
  "head",
  "title",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "noscript",
]);
const ATTRIBUTES: Record<string, RegExp> = {
  colspan: /^\d{1,4}$/,
  rowspan: /^\d{1,4}$/,
  border: /^\d$/,
  class: /^dataframe$/,
};
const MAX_CHARS = 512 * 1024;
const MAX_DEPTH = 100;
const MAX_ATTRIBUTE_CHARS = 500;
// Each part ends where the next tag or comment begins, or after a few characters: the time grows with the text alone.
const TAG = /<!--(?:(?!<!--)[\s\S])*?-->|<(\/?)([a-zA-Z][a-zA-Z0-9]{0,30})(?![a-zA-Z0-9])([^<>]*)>/g;
const ATTRIBUTE = /([a-zA-Z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g;

/** Null where there is too much of it. */
export function cleanHtml(html: string): string | null {
  if (html.length > MAX_CHARS) return null;
  const written: string[] = [];
  const open: string[] = [];
  let skipping: string | null = null;
  let at = 0;
  for (const match of html.matchAll(TAG)) {
    const [whole, end, word, attributes = ""] = match;
    if (skipping === null) written.push(escapeText(html.slice(at, match.index)));
    at = match.index + whole.length;
    const name = word?.toLowerCase();
    if (name === undefined) continue;
    if (skipping !== null) {
      if (end && name === skipping) skipping = null;
    } else if (SKIPPED.has(name)) {
      if (!end && !attributes.endsWith("/")) skipping = name;
    } else if (!SHOWN.has(name)) {
      // A tag that is not shown leaves its contents behind.
    } else if (end) {
      closeFrom(open.lastIndexOf(name), open, written);
    } else if (WITHOUT_END.has(name)) {
      written.push(`<${name}>`);
    } else if (open.length < MAX_DEPTH) {
      open.push(name);
      written.push(`<${name}${keepAttributes(attributes)}>`);
    }
  }
  if (skipping === null) written.push(escapeText(html.slice(at)));
  closeFrom(0, open, written);
  return written.join("");
}

/** Ends what is open, from within, as far as that at `index`; what was never opened has no end either. */
function closeFrom(index: number, open: string[], written: string[]): void {
  if (index < 0) return;
  for (const name of open.splice(index).reverse()) written.push(`</${name}>`);
}

function keepAttributes(text: string): string {
  if (text.length > MAX_ATTRIBUTE_CHARS) return "";
  let kept = "";
  for (const [, word = "", ...values] of text.matchAll(ATTRIBUTE)) {
    const name = word.toLowerCase();
    const value = values.find((each) => each !== undefined) ?? "";
    if (ATTRIBUTES[name]?.test(value)) kept += ` ${name}="${value}"`;
  }
  return kept;
}

function escapeText(text: string): string {
  return text
    .replaceAll(/&(?!(?:[a-zA-Z]{1,20}|#\d{1,7}|#x[\da-fA-F]{1,6});)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
