import { DrydockError } from "@drydock/protocol";

/**
 * What a definition or a call may hold: the literals of JavaScript, and chains such as `z.string().min(1)`. It is read
 * into data by this file alone; nothing is looked up, and nothing is evaluated.
 */
export type Value =
  | { kind: "plain"; value: string | number | boolean | null }
  | { kind: "array"; items: Value[] }
  | { kind: "object"; entries: [name: string, value: Value][] }
  | { kind: "chain"; root: string; links: { name: string; args: Value[] | null }[] };

const MAX_CHARS = 256 * 1024;
const MAX_DEPTH = 64;
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** The arguments between the brackets of a call, which must be the end of the text. */
export function parseArguments(text: string, from = 0): Value[] {
  const reader = createReader(text, from);
  const values = reader.list("(", ")");
  reader.end();
  return values;
}

function createReader(text: string, from: number) {
  if (text.length > MAX_CHARS) throw invalid("The text is longer than 256 KB", text, 0);
  let at = from;
  let depth = 0;

  const skip = () => {
    for (;;) {
      const found = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(text.slice(at, at + 4096));
      if (!found) return;
      at += found[0].length;
    }
  };
  const peek = () => {
    skip();
    return text[at] ?? "";
  };
  const fail = (what: string): never => {
    throw invalid(what, text, at);
  };
  const expect = (mark: string) => {
    if (peek() !== mark) fail(`Here ${mark} is expected`);
    at += 1;
  };
  const match = (pattern: RegExp): string | null => {
    skip();
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };

  function separated<T>(start: string, end: string, read: () => T): T[] {
    expect(start);
    depth += 1;
    if (depth > MAX_DEPTH) fail(`This is nested deeper than ${MAX_DEPTH} levels`);
    const found: T[] = [];
    while (peek() !== end) {
      found.push(read());
      if (peek() !== ",") break;
      at += 1;
    }
    expect(end);
    depth -= 1;
    return found;
  }

  function string(quote: string): string {
    at += 1;
    let value = "";
    for (;;) {
      const character = text[at];
      if (character === undefined || (character === "\n" && quote !== "`")) fail("This string has no end");
      else if (quote === "`" && text.startsWith("${", at)) {
        fail("Nothing is evaluated in a template here; the variables of a prompt are written {{ name }}");
      }
      at += 1;
      if (character === quote) return value;
      value += character === "\\" ? escaped() : character;
    }
  }

  function escaped(): string {
    const character = text[at] ?? "";
    at += 1;
    const hex = /^(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(text.slice(at - 1, at + 9));
    if (hex) {
      at += hex[0].length - 1;
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? "", 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : fail("There is no such character");
    }
    return character === "\n" ? "" : (ESCAPES[character] ?? character);
  }

  /** Strings that are joined with + are one. */
  function joined(): string {
    let value = string(peek());
    while (peek() === "+") {
      at += 1;
      if (!isQuote(peek())) fail("Only strings can be joined here");
      value += string(peek());
    }
    return value;
  }

  function entry(): [string, Value] {
    const name = isQuote(peek()) ? string(peek()) : match(/[\p{L}_$][\p{L}\p{N}_$]*|\d+/uy);
    if (name === null) return fail("Here a name is expected");
    if (name === "__proto__") fail("This name can't be used");
    expect(":");
    return [name, value()];
  }

  function chain(root: string): Value {
    const links: { name: string; args: Value[] | null }[] = [];
    while (peek() === ".") {
      at += 1;
      const name = match(/[\p{L}_$][\p{L}\p{N}_$]*/uy) ?? fail("Here a name is expected");
      links.push({ name, args: peek() === "(" ? separated("(", ")", value) : null });
    }
    return { kind: "chain", root, links };
  }

  function value(): Value {
    const next = peek();
    if (isQuote(next)) return { kind: "plain", value: joined() };
    if (next === "[") return { kind: "array", items: separated("[", "]", value) };
    if (next === "{") return { kind: "object", entries: separated("{", "}", entry) };
    const number = match(/-?(?:0x[0-9a-f]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy);
    if (number !== null) return { kind: "plain", value: Number(number.replaceAll("_", "")) };
    const name = match(/[\p{L}_$][\p{L}\p{N}_$]*/uy);
    if (name === null) return fail("Here a value is expected");
    const constant = CONSTANTS.get(name);
    return constant === undefined ? chain(name) : { kind: "plain", value: constant };
  }

  return {
    list: (start: string, end: string) => separated(start, end, value),
    end() {
      if (peek() === ";") at += 1;
      if (peek() !== "") fail("Nothing more is expected here");
    },
  };
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'" || character === "`";
}

/** The value as data; DrydockError where it names something. */
export function toData(value: Value): unknown {
  switch (value.kind) {
    case "plain":
      return value.value;
    case "array":
      return value.items.map(toData);
    case "object":
      return Object.fromEntries(value.entries.map(([name, item]) => [name, toData(item)]));
    case "chain": {
      const hint = "Give strings, numbers, lists and objects.";
      throw new DrydockError("input.invalid", `${value.root} is not a plain value.`, hint);
    }
    default:
      return value satisfies never;
  }
}

function invalid(what: string, text: string, at: number): DrydockError {
  const before = text.slice(0, at).split("\n");
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return new DrydockError(
    "input.invalid",
    `${what} (line ${line}, column ${column}).`,
    "What is defined or called here is data: strings, numbers, lists, objects, and schemas such as z.string().",
    { line, column },
  );
}
