import type { EditRequest } from "./list-script-edits.ts";
import { REGEX_CLASSES } from "./script-words.ts";

/** The edits in one regular expression: anchors and quantifiers left out, classes of characters turned round. */
export function editRegex({ node, text, add }: EditRequest): void {
  const source = text.slice(node.start + 1, text.lastIndexOf("/", node.end));
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const here = node.start + 1 + at;
    const char = source[at] ?? "";
    if (char === "\\") {
      const pair = source.slice(at, at + 2);
      const opposite = REGEX_CLASSES[pair];
      if (opposite !== undefined && !(isInClass && pair === "\\b")) add(here, here + 2, opposite, "regex");
      at += 1;
    } else if (isInClass) {
      isInClass = char !== "]";
    } else if (char === "[") {
      isInClass = true;
      const isNegated = source[at + 1] === "^";
      add(here, here + (isNegated ? 2 : 1), isNegated ? "[" : "[^", "regex");
      if (isNegated) at += 1;
    } else if (char === "^" || char === "$") {
      add(here, here + 1, "", "regex");
    } else if (isQuantifier(source, at)) {
      add(here, here + 1, "", "regex");
    }
  }
}

/** A `?` after a quantifier, or after the bracket of a group, is none. */
function isQuantifier(source: string, at: number): boolean {
  const [char, previous] = [source[at] ?? "", source[at - 1] ?? ""];
  const isEscaped = source[at - 2] === "\\" && source[at - 3] !== "\\";
  if (char === "+" || char === "*") return true;
  return char === "?" && (isEscaped || !["+", "*", "?", "}", "("].includes(previous));
}
