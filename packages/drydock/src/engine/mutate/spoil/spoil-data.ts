import { isText, parseJson } from "../../../base/text/index.ts";
import { applySplices, type Splice } from "../../source/splice.ts";
import { changeQuoted, nextLetter } from "./change-text.ts";

const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const EXPECTED_KEY = /expect|want|result|output|answer|actual/i;
const CONFIGURATION = /\.(ya?ml|toml|ini|cfg|properties|env)$/i;

/** A data file (golden file, JSON, CSV, text, bytes) that a test compares with, made wrong; null where there is nothing to change (empty). */
export function spoilData(path: string, content: Buffer): Buffer | null {
  if (content.length === 0) return null;
  if (content.length > MAX_TEXT_BYTES || !isText(content)) return spoilBytes(content);
  const text = content.toString();
  const splices = parseJson(text) !== undefined ? changedValues(text) : changedLines(path, text);
  // White space alone, or brackets: something is added to it.
  const spoiled = splices.length > 0 ? applySplices(text, splices) : `${text}0`;
  return Buffer.from(spoiled);
}

/**
 * Changes some bytes throughout, the last one among them. The first bytes, which identify the format, stay if the file
 * is long enough.
 */
function spoilBytes(content: Buffer): Buffer {
  const spoiled = Buffer.from(content);
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const at = Math.max(0, Math.ceil(content.length * part) - 1);
    spoiled[at] = (spoiled[at] ?? 0) ^ 1;
  }
  return spoiled.equals(content) ? Buffer.concat([content, Buffer.from([1])]) : spoiled;
}

interface Value {
  start: number;
  end: number;
  /** Where in the document it lies: the keys and indexes above it. */
  keys: readonly string[];
}

/**
 * Values under a key that names a result, if there are such; otherwise the last value of each entry of the document. Not
 * all values: a wrong input and a wrong result may well fit together.
 */
function changedValues(text: string): Splice[] {
  const values = scalarsOf(text);
  const expected = values.filter(({ keys }) => keys.some((key) => EXPECTED_KEY.test(key)));
  const last = new Map<string, Value>();
  for (const value of expected.length > 0 ? expected : values) {
    const place = expected.length > 0 ? value.keys.join("\0") : (value.keys[0] ?? "");
    last.set(place, value);
  }
  return [...last.values()].map(({ start, end }) => ({
    start,
    end,
    replacement: changed(text.slice(start, end), start),
  }));
}

function changed(value: string, at: number): string {
  if (value.startsWith('"')) return changeQuoted(value, false, at);
  if (value === "true" || value === "false") return value === "true" ? "false" : "true";
  if (value === "null") return "0";
  const other = Number(value) + 1;
  return Number.isFinite(other) && other !== Number(value) ? String(Number(other.toPrecision(15))) : "1";
}

/** The strings, numbers and words of a JSON text that are no keys. */
function scalarsOf(text: string): Value[] {
  const found: Value[] = [];
  const above: { isArray: boolean; key: string }[] = [];
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]|[^\s{}[\],:"]+/g)) {
    const token = match[0];
    const top = above.at(-1);
    if (token === "{" || token === "[") above.push({ isArray: token === "[", key: "0" });
    else if (token === "}" || token === "]") above.pop();
    else if (token === ",") {
      if (top?.isArray) top.key = String(Number(top.key) + 1);
    } else if (match[1] !== undefined) {
      if (top) top.key = token.slice(1, token.lastIndexOf('"'));
    } else found.push({ start: match.index, end: match.index + token.length, keys: above.map(({ key }) => key) });
  }
  return found;
}

/** The last letter or digit of each line: in tables, that is the last column. */
function changedLines(path: string, text: string): Splice[] {
  const isConfiguration = CONFIGURATION.test(path);
  return [...text.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) => {
    if (isConfiguration && /^\s*(#|;|\[|$)|[:{}[\]]\s*$/.test(line)) return [];
    const at = line.search(/[A-Za-z0-9][^A-Za-z0-9]*$/);
    if (at >= 0) return [{ start: index + at, end: index + at + 1, replacement: nextLetter(line.charAt(at)) }];
    const end = index + line.trimEnd().length;
    return end > index ? [{ start: end, end, replacement: "0" }] : [];
  });
}
