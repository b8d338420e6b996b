/** State that a whole process shares: source sets it, and tests get what they expect by way of it. */
interface SharedState {
  name: string;
  set: RegExp;
  /** What tests do that depends on it. */
  used: RegExp;
}

const STATES: readonly SharedState[] = [
  {
    name: "the random numbers of the whole process",
    set: /\b(?:np\.|numpy\.)?random\.(?:seed\(\s*(?:\d|["'])|setstate\(|set_state\()/,
    used: /\brandom\.(?!seed\b|Random\b|RandomState\b|default_rng\b)\w+\(/,
  },
  {
    name: "the precision of all decimal numbers",
    set: /\bgetcontext\(\)\.(?:prec\s*=\s*(?:1?\d|2[0-7])\b|rounding\s*=[^=])|\bsetcontext\(/,
    used: /\bDecimal\([^)\n]*\)\s*[-+*/%]|[-+*/%]\s*Decimal\(|\bgetcontext\b/,
  },
  { name: "the locale of the whole process", set: /\blocale\.setlocale\(/, used: /\blocale\.(?!setlocale\b)\w+\(/ },
  {
    name: "the time zone of the whole process",
    set: /\b(?:process\.env(?:\.TZ|\[["']TZ["']\])|os\.environ\[["']TZ["']\])\s*=[^=]|\btzset\(|\bputenv\(\s*["']TZ\b/,
    used: /\bnew Date\b|\.get(?:Hours|Date|Day|Month|FullYear|TimezoneOffset)\(|\bto(?:Locale)?(?:Date|Time)?String\(|\b(?:localtime|mktime|strftime|fromtimestamp|astimezone)\(/,
  },
];

/** Process-wide state that changed source sets and tests use for what they expect. Null: none that was not set before. */
export function findSharedState(was: string, is: string, tests: string): string | null {
  const [before, after] = [withoutMain(was), withoutMain(is)];
  for (const { name, set, used } of STATES) {
    const found = set.exec(after)?.[0];
    if (found && !before.includes(found) && used.test(tests)) return `sets ${name} (${found.trim()})`;
  }
  return findVariable(before, after, tests) ?? findEmptied(before, after, tests);
}

/** What only runs as the main program sets nothing for tests. */
function withoutMain(text: string): string {
  return text.replace(/^if __name__ ==[\s\S]*/m, "");
}

const SET_VARIABLE =
  /\bos\.environ(?:\[|\.setdefault\()\s*["'](\w+)["']|\bputenv\(\s*["'](\w+)["']|\bprocess\.env\.(\w+)\s*\??\??=(?!=)/g;

/** A variable of the environment that tests compare an answer with. */
function findVariable(before: string, after: string, tests: string): string | null {
  for (const [text, ...names] of after.matchAll(SET_VARIABLE)) {
    const name = names.find((each) => each !== undefined) ?? "";
    if (before.includes(text)) continue;
    const read = new RegExp(
      String.raw`\b(?:os\.environ(?:\[|\.get\()|os\.getenv\()\s*["']${name}["'][^)\]\n]*[)\]]|\bprocess\.env\.${name}\b`,
    );
    const isBothSides = listComparisons(tests).some(([left, right]) => read.test(right) && /\w\(/.test(left));
    if (isBothSides) return `sets ${name} in the environment, with which tests compare its answer`;
  }
  return null;
}

const EMPTIED = [
  /(?<!\w|\.)(\w+)\.(?:clear\(\)|length\s*=\s*0\b|splice\(\s*0\b)/g,
  /\bdel\s+(\w+)\[(?::\])?/g,
  /(?<!\w|\.)(\w+)\[:\]\s*=\s*\[\]/g,
  /\bdelete\s+(\w+)\[/g,
];

/** An argument that a function empties, and from which tests compute afterwards what they expect of it. */
function findEmptied(before: string, after: string, tests: string): string | null {
  let compared: [string, string][] | null = null;
  let heads: Head[] | null = null;
  for (const pattern of EMPTIED) {
    const isLooped = pattern.source.startsWith("\\bdel") ? loopsOf(after) : () => true;
    let at = -1;
    for (const { 0: text, 1: name = "", index } of after.matchAll(pattern)) {
      if (!text.endsWith("[:]") && !isLooped(index, text.startsWith("delete"))) continue;
      heads ??= listHeads(after);
      while ((heads[at + 1]?.end ?? Number.POSITIVE_INFINITY) <= index) at += 1;
      const { owner = "", parameters = "" } = heads[at] ?? {};
      if (before.includes(text) || !new RegExp(String.raw`(?<![\w.])${name}\b`).test(parameters)) continue;
      compared ??= listComparisons(tests);
      const variable = compared.flatMap(([left, right]) => findPassedVariables(owner, left, right, tests))[0];
      if (variable)
        return `empties an argument (${text}), and tests compute what they expect from ${variable} afterwards`;
    }
  }
  return null;
}

/** Tells, for ascending places, whether the line before begins a loop there; or the same line, where that counts as well. */
function loopsOf(text: string): (index: number, inLine: boolean) => boolean {
  let line = { start: 0, end: -1, first: -1, loop: -1 };
  return (index, inLine) => {
    if (index > line.end) {
      const start = text.lastIndexOf("\n", index - 1) + 1;
      const newline = text.indexOf("\n", index);
      const end = newline < 0 ? text.length : newline;
      const previous = start === 0 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
      const loop = (inLine ? /\bfor(?:Each)?\b/ : /\bfor\b/).exec(text.slice(previous, end));
      const first = start + text.slice(start, end).search(/\S/);
      line = { start, end, first, loop: loop ? previous + loop.index : -1 };
    }
    if (line.loop < 0 || line.loop >= index) return false;
    if (inLine) return true;
    return line.loop < line.start && line.first === index;
  };
}

const MOST_PARAMETERS = 4000;
const HEADS = new RegExp(
  [
    String.raw`\bdef\s+(\w+)\(([^)]{0,${MOST_PARAMETERS}})\)`,
    String.raw`\bfunction\s+(\w+)\s*\(([^)]{0,${MOST_PARAMETERS}})\)`,
    String.raw`(?<!\w)(\w+)\s*[=:]\s*(?:async\s*)?(?:function\s*)?\(([^()\n]{0,${MOST_PARAMETERS}})\)\s*(?:=>|\{)`,
    String.raw`(?<!\w)(\w+)\s*=\s*(?:async\s*)?(\w+)\s*=>`,
  ].join("|"),
  "g",
);

/** The head of a function, and where it ends. */
interface Head {
  owner: string;
  parameters: string;
  end: number;
}

function listHeads(text: string): Head[] {
  return [...text.matchAll(HEADS)].map((match) => {
    const [owner = "", parameters = ""] = match.slice(1).filter((each) => each !== undefined);
    return { owner, parameters, end: match.index + match[0].length };
  });
}

/** Variables that a comparison, or a line before it, hands to the function, and that its other side computes with. */
function findPassedVariables(owner: string, left: string, right: string, tests: string): string[] {
  const names = new Set([...right.matchAll(/(?<![\w.])([A-Za-z_]\w*)(?![\w(])/g)].map(([, name = ""]) => name));
  return [...names].filter((name) => {
    const passed = String.raw`\b${owner}\((?:[^()\n]*,)?\s*${name}\s*[,)]`;
    if (right.trim() === name) return false;
    if (new RegExp(passed).test(left)) return true;
    const result = /^\w+$/.exec(left.trim())?.[0];
    return result !== undefined && new RegExp(String.raw`\b${result}\s*=\s*(?:\w+\.)*${passed}`).test(tests);
  });
}

/** The two sides of each comparison of the tests that stands in one line. */
function listComparisons(tests: string): [left: string, right: string][] {
  return tests.split("\n").flatMap((line): [string, string][] => {
    const match =
      /^\s*assert\s+(.+?)\s==\s(.+)$/.exec(line) ??
      /\bassertEqual\((.+?),\s(.+)\)/.exec(line) ??
      /\b(?:\w*[eE]qual|is|same)\((.+?),\s(.+)\)/.exec(line) ??
      /\bexpect\((.+?)\)\.to\w+\((.+)\)/.exec(line);
    return match ? [[match[1] ?? "", match[2] ?? ""]] : [];
  });
}
