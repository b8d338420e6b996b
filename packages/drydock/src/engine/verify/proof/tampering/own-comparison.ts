import { seekAhead } from "./seek-ahead.ts";

/** Part of a file: a class or a method, by its name, with what stands in it. */
interface Block {
  name: string;
  body: string;
}

const PYTHON_CLASS = /^([ \t]*)class[ \t]+(\w+)\b[^\n]*:[ \t]*$/gm;
const PYTHON_METHOD =
  /^([ \t]*)def[ \t]+__(?:eq|ne|lt|le|gt|ge|contains)__\(\s*\w+\s*,\s*(\w+)\b[^)\n]*\)[^\n:]*:[ \t]*(?=\n)/gm;
/** A class that is put together, or a method that is put in later. */
const PUT_IN = /["']__(?:eq|ne|lt|le|gt|ge|contains)__["']\s*[:,]/;
/** What looks at the kind of the other side first, hands over to a built-in, or compares with the own state. */
const BY_KIND = /\bNotImplemented\b|\bsuper\(\)|\b(?:dict|list|str|int|float|set|tuple|bytes|object)\.__/;

const SCRIPT_CLASS = /\bclass\s+(\w+)\s+extends\s+(?:Array|Set|Map|String|Number|Boolean)\s*\{/g;
const JUDGING_METHOD =
  /^[ \t]*(?:includes|has|indexOf|lastIndexOf|some|every|find|findIndex|equals)\s*\([^)\n]*\)\s*\{/gm;
const PRIMITIVE = /(?:\b(?:valueOf|toString|toJSON)|\[Symbol\.toPrimitive\])\s*[:(]/g;
const IN_TURN =
  /(?:\+\+|--)\s*(\w+)|(?<!\w|\w\.)(\w+)(?:\.\w+)*\s*(?:\+\+|--|[-+]=)|(?<!\w|\w\.)(\w+)(?:\.\w+)*\.(?:shift|pop|next)\(|\b(Math)\.random\b/g;

const FOREIGN_OPERATOR =
  /\boperator\s*(?:==|!=|<=?|>=?)\s*\(\s*(?:const\s+)?(?:(?:unsigned|signed|long)\s+)*(?:int|long|short|double|float|bool|char|auto|size_t|u?int\d+_t|std::\w+)\b[\s&*]*(\w+)\s*\)/g;

/** How many times a text may be read, in all, for the blocks that stand in one another. */
const MOST_READINGS = 32;
const TOO_NESTED = "more blocks in one another than can be looked at";

/**
 * An answer with a comparison of its own that works on what it is compared with: it can tell the right answer without knowing
 * it. Not where tests name the class, which then is what they are about. Null: none that was not there before.
 */
export function findOwnComparison(
  path: string,
  before: string,
  after: string,
  isNamed: (name: string) => boolean,
): string | null {
  const isNew = (text: string) => !before.includes(text);
  try {
    return findIn(path, after, isNew, isNamed);
  } catch (error) {
    if (error instanceof TooNested) return TOO_NESTED;
    throw error;
  }
}

class TooNested extends Error {}

/** Counts what is read of a text, and throws where that is too much. */
function countReadings(text: string): (length: number) => void {
  let left = MOST_READINGS * text.length;
  return (length) => {
    left -= length;
    if (left < 0) throw new TooNested();
  };
}

function findIn(path: string, after: string, isNew: Test, isNamed: Test): string | null {
  if (path.endsWith(".py")) return findPython(after, isNew, isNamed);
  if (/\.[cm]?[jt]sx?$/.test(path)) return findScript(after, isNew, isNamed);
  if (/\.(pm|pl)$/.test(path)) return findOverload(after, isNew, isNamed);
  return /\.(cc|cpp|cxx|h|hh|hpp|hxx)$/.test(path) ? findOperator(after, isNew, isNamed) : null;
}

const OVERLOAD =
  /\buse\s+overload\b[^;]{0,4000}?(["']?)(?:==|!=|<=>|eq|ne|cmp|bool|~~|-|\+)\1\s*=>\s*sub\s*\{([^}]*)\}/g;

/** A Perl class whose comparison computes with the other side; what only hands over or compares as it is does not. */
function findOverload(text: string, isNew: Test, isNamed: Test): string | null {
  const found = [...text.matchAll(OVERLOAD)].find(
    ([whole, , body = ""]) =>
      isNew(whole) && /\$_\[1\]\s*[*%/+-]|[*%/+-]\s*\$_\[1\]|\(\s*\$_\[1\]\s*\)|\blc\b|\buc\b/.test(body),
  );
  const owner = /\bpackage\s+([\w:]+)/.exec(text)?.[1] ?? "";
  return found && !isNamed(`${owner}\\s*->`) ? `a comparison of its own in ${owner}` : null;
}

type Test = (text: string) => boolean;

function findPython(text: string, isNew: Test, isNamed: Test): string | null {
  const putIn = PUT_IN.exec(text)?.[0];
  if (putIn && isNew(putIn)) return putIn;
  const count = countReadings(text);
  for (const { name, body } of listIndented(text, PYTHON_CLASS, count)) {
    if (isNamed(name)) continue;
    for (const method of listIndented(body, PYTHON_METHOD, count)) {
      if (isNew(method.body) && worksOn(method, name)) return `a comparison of its own in ${name}`;
    }
  }
  return null;
}

/** Whether a method computes with the other side, and neither looks at its kind nor compares it as it is. */
function worksOn({ name: other, body }: Block, owner: string): boolean {
  const computes = new RegExp(String.raw`(?<![\w.])${other}\s*(?:[%*+/-]|\[)|[%*+/-]\s*${other}\b|\bin\s+${other}\b`);
  const named = new RegExp(String.raw`\b${other}\b`);
  const handsOver = body.split("\n").some((line) => {
    const call = /\b(?:range|zip|sorted|set|map)\(/.exec(line);
    return call !== null && named.test(line.slice(call.index + call[0].length));
  });
  const ofOwnKind = new RegExp(
    String.raw`\b${owner}\b|\btype\(|__class__|(?<![\w.])${other}\.\w+(?![\w(])|\b${other}\s+in\s+self\b`,
  );
  return (
    (handsOver || computes.test(body)) && !BY_KIND.test(body) && !ofOwnKind.test(body) && !comparesPlainly(body, other)
  );
}

function comparesPlainly(body: string, other: string): boolean {
  const plain = String.raw`(?:\w+\()?${other}(?:\.\w+\(\))*\)?`;
  return new RegExp(
    String.raw`[=!<>]=?\s*${plain}\s*(?:$|[;)}\n]|\band\b|\bor\b|&&|\|\|)|(?:^[^\S\r\n]*|(?:return|[(!]|\band|\bor|&&|\|\|)\s*)${plain}\s*(?:[=!]=|[<>])`,
    "m",
  ).test(body);
}

/** Blocks by their indentation: each match's second group is the name, and the lines below it that stand further right its body. */
function* listIndented(text: string, pattern: RegExp, count: (length: number) => void): Generator<Block> {
  for (const { 0: head, 1: indent = "", 2: name = "", index } of text.matchAll(pattern)) {
    const from = index + head.length + 1;
    const end = findOutdent(text, from, indent.length);
    count(end - from);
    yield { name, body: text.slice(from, end) };
  }
}

/** Where the line before the first one ends that stands no further right. */
function findOutdent(text: string, from: number, indent: number): number {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const line = text.slice(start, newline < 0 ? text.length : newline);
    if (line.trim() !== "" && (/^[ \t]*/.exec(line)?.[0].length ?? 0) <= indent) return Math.max(from, start - 1);
    if (newline < 0) break;
    start = newline + 1;
  }
  return Math.max(from, text.length);
}

function findScript(text: string, isNew: Test, isNamed: Test): string | null {
  const count = countReadings(text);
  for (const match of text.matchAll(SCRIPT_CLASS)) {
    const name = match[1] ?? "";
    if (isNamed(name)) continue;
    const body = takeBraces(text, match.index + match[0].length, count);
    const judging = [...body.matchAll(JUDGING_METHOD)].find(({ 0: head, index }) => {
      const own = takeBraces(body, index + head.length, count);
      return isNew(own) && !/\b(?:super|this)\b/.test(own);
    });
    if (judging) return `a ${judging[0].trim().split("(")[0]}() of its own in ${name}`;
  }
  for (const { head, from } of listPrimitives(text)) {
    const newline = text.indexOf("\n", from);
    const body =
      text[from] === "{" ? takeBraces(text, from + 1, count) : text.slice(from, newline < 0 ? text.length : newline);
    count(body.length);
    if (isNew(body) && changesState(body)) return `a ${head} that gives another value each time`;
  }
  return null;
}

/** Methods that give a primitive value, and where their bodies begin. */
function* listPrimitives(text: string): Generator<{ head: string; from: number }> {
  const [newline, brace, arrow, close] = ["\n", "{", "=>", ")"].map((piece) => seekAhead(text, piece));
  for (const { 0: head, index } of text.matchAll(PRIMITIVE)) {
    const from = index + head.length;
    const isArrow = head.endsWith(":");
    const end = (isArrow ? arrow : close)?.(from) ?? text.length;
    const last = Math.min(newline?.(from) ?? text.length, isArrow ? (brace?.(from) ?? text.length) : text.length);
    if (end >= last) continue;
    const space = /\s*/y;
    space.lastIndex = end + (isArrow ? 2 : 1);
    space.test(text);
    yield { head: head.slice(0, -1).trim(), from: space.lastIndex };
  }
}

/** Whether something that outlives the call is another one after it. */
function changesState(body: string): boolean {
  const own = new Set<string>();
  let end = 0;
  for (const { 0: word, index } of body.matchAll(/\b(?:let|const|var)\s+/g)) {
    const from = index + word.length;
    if (from < end) continue;
    const length = body.slice(from).search(/[;\n]/);
    end = length < 0 ? body.length : from + length;
    for (const [name] of body.slice(from, end).matchAll(/\w+/g)) own.add(name);
  }
  for (const [, ...names] of body.matchAll(IN_TURN)) {
    if (!own.has(names.find((each) => each !== undefined) ?? "")) return true;
  }
  return false;
}

function findOperator(text: string, isNew: Test, isNamed: Test): string | null {
  const count = countReadings(text);
  const [brace, semicolon] = [seekAhead(text, "{"), seekAhead(text, ";")];
  const owners = [...text.matchAll(/\b(?:struct|class)\s+(\w+)/g)];
  let at = -1;
  for (const { 0: head, 1: other = "", index } of text.matchAll(FOREIGN_OPERATOR)) {
    while ((owners[at + 1]?.index ?? text.length) < index) at += 1;
    const start = brace(index + head.length);
    if (start >= text.length || semicolon(index + head.length) < start) continue;
    const owner = owners[at]?.[1] ?? "";
    const body = takeBraces(text, start + 1, count);
    if (isNew(body) && !isNamed(owner) && !comparesPlainly(body, other)) return `an operator of its own in ${owner}`;
  }
  return null;
}

/** What stands between a brace that was opened before this place and the one that closes it. */
function takeBraces(text: string, from: number, count: (length: number) => void): string {
  let depth = 1;
  let at = from;
  for (; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    if (depth === 0) break;
  }
  count(at - from);
  return text.slice(from, at);
}
