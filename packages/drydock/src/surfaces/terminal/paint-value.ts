import { cutText, fitText } from "../../base/text/index.ts";
import { cleanLine, cleanText } from "./clean-text.ts";
import type { Colors } from "./terminal.ts";

const MAX_CHARS = 20_000;
const SHORT_CHARS = 72;

/** A value as people read it, in colours: short ones on one line. */
export function paintValue(value: unknown, colors: Colors): string {
  if (isOpaque(value)) return colors.magenta(cleanText(value.repr));
  const short = JSON.stringify(value) ?? "null";
  const text = short.length <= SHORT_CHARS ? spread(short, value) : (JSON.stringify(value, null, 2) ?? "null");
  return cleanText(cutText(text, MAX_CHARS)).replace(
    TOKEN,
    (token, key: string | undefined, colon: string | undefined) => {
      if (key !== undefined) return `${colors.cyan(key)}${colon}`;
      if (token.startsWith('"')) return colors.green(token);
      return /^[-\d]/.test(token) ? colors.yellow(token) : colors.magenta(token);
    },
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** JSON on one line, with room after its commas and colons. */
function spread(short: string, value: unknown): string {
  if (typeof value !== "object" || value === null) return short;
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*(?=[\]}])/g, "")
    .replace(/([[{])\n\s*/g, "$1")
    .replace(/,\n\s*/g, ", ");
}

function isOpaque(value: unknown): value is { type: string; repr: string } {
  if (typeof value !== "object" || value === null || !("type" in value) || !("repr" in value)) return false;
  return Object.keys(value).length === 2 && typeof value.repr === "string";
}

const KEYWORD =
  /(#[^\n]*|\/\/[^\n]*)|("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\b(and|as|assert|async|await|break|class|const|continue|def|del|elif|else|except|finally|for|from|function|global|if|import|in|is|lambda|let|not|or|pass|raise|return|try|var|while|with|yield|True|False|None)\b|\b(\d[\w.]*)\b/g;

/** Code as it was written, with a bar beside it. */
export function paintCode(code: string, colors: Colors): string {
  const painted = cleanText(code.trimEnd()).replace(KEYWORD, (token, comment, text, keyword) => {
    if (comment !== undefined) return colors.dim(token);
    if (text !== undefined) return paintLines(token, colors.green);
    return keyword === undefined ? colors.yellow(token) : colors.blue(token);
  });
  return painted
    .split("\n")
    .map((line) => `${colors.dim("│")} ${line}\n`)
    .join("");
}

/** A colour that goes over several lines would run into the bar. */
function paintLines(text: string, paint: (text: string) => string): string {
  return text.split("\n").map(paint).join("\n");
}

export function shortenWords(text: string, length: number): string {
  return fitText(cleanLine(text), length);
}
