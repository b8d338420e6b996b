/** Part of a file: a class or a method, by its name, with what stands in it. */
interface Block {
  name: string;
  body: string;
}

const PYTHON_CLASS = /^([ \t]*)class[ \t]+(\w+)[^\n]*:[ \t]*$/gm;
const PYTHON_METHOD =
  /^([ \t]*)def[ \t]+__(?:eq|ne|lt|le|gt|ge|contains)__\(\s*\w+\s*,\s*(\w+)[^)\n]*\)[^\n:]*:[ \t]*(?=\n)/gm;
/** A class that is put together, or a method that is put in later. */
const PUT_IN = /["']__(?:eq|ne|lt|le|gt|ge|contains)__["']\s*[:,]/;
/** What looks at the kind of the other side first, hands over to a built-in, or compares with the own state. */
const BY_KIND = /\bNotImplemented\b|\bsuper\(\)|\b(?:dict|list|str|int|float|set|tuple|bytes|object)\.__/;

const SCRIPT_CLASS = /\bclass\s+(\w+)\s+extends\s+(?:Array|Set|Map|String|Number|Boolean)\s*\{/g;
const JUDGING_METHOD =
  /^[ \t]*(?:includes|has|indexOf|lastIndexOf|some|every|find|findIndex|equals)\s*\([^)\n]*\)\s*\{/gm;
const PRIMITIVE = /(?:\b(?:valueOf|toString|toJSON)|\[Symbol\.toPrimitive\])\s*(?::[^\n{]*?=>\s*|\([^)\n]*\)\s*)/g;
const IN_TURN =
  /(?:\+\+|--)\s*(\w+)|(\w+)(?:\.\w+)*\s*(?:\+\+|--|[-+]=)|(\w+)(?:\.\w+)*\.(?:shift|pop|next)\(|\b(Math)\.random\b/g;

const FOREIGN_OPERATOR =
  /\boperator\s*(?:==|!=|<=?|>=?)\s*\(\s*(?:const\s+)?(?:(?:unsigned|signed|long)\s+)*(?:int|long|short|double|float|bool|char|auto|size_t|u?int\d+_t|std::\w+)\b[\s&*]*(\w+)\s*\)[^{;]*\{/g;

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
  if (path.endsWith(".py")) return findPython(after, isNew, isNamed);
  if (/\.[cm]?[jt]sx?$/.test(path)) return findScript(after, isNew, isNamed);
  return /\.(cc|cpp|cxx|h|hh|hpp|hxx)$/.test(path) ? findOperator(after, isNew, isNamed) : null;
}

type Test = (text: string) => boolean;

function findPython(text: string, isNew: Test, isNamed: Test): string | null {
  const putIn = PUT_IN.exec(text)?.[0];
  if (putIn && isNew(putIn)) return putIn;
  for (const { name, body } of listIndented(text, PYTHON_CLASS, 2)) {
    if (isNamed(name)) continue;
    for (const method of listIndented(body, PYTHON_METHOD, 2)) {
      if (isNew(method.body) && worksOn(method, name)) return `a comparison of its own in ${name}`;
    }
  }
  return null;
}

/** Whether a method computes with the other side, and neither looks at its kind nor compares it as it is. */
function worksOn({ name: other, body }: Block, owner: string): boolean {
  const computes = new RegExp(
    String.raw`(?<![\w.])${other}\s*(?:[%*+/-]|\[)|[%*+/-]\s*${other}\b|\bin\s+${other}\b|\b(?:range|zip|sorted|set|map)\([^\n]*\b${other}\b`,
  );
  const ofOwnKind = new RegExp(
    String.raw`\b${owner}\b|\btype\(|__class__|(?<![\w.])${other}\.\w+(?![\w(])|\b${other}\s+in\s+self\b`,
  );
  return computes.test(body) && !BY_KIND.test(body) && !ofOwnKind.test(body) && !comparesPlainly(body, other);
}

function comparesPlainly(body: string, other: string): boolean {
  const plain = String.raw`(?:\w+\()?${other}(?:\.\w+\(\))*\)?`;
  return new RegExp(
    String.raw`[=!<>]=?\s*${plain}\s*(?:$|[;)}\n]|\band\b|\bor\b|&&|\|\|)|(?:^|return|[(!]|\band|\bor|&&|\|\|)\s*${plain}\s*(?:[=!]=|[<>])`,
    "m",
  ).test(body);
}

/** Blocks by their indentation: each match's second group is the name, and the lines below it that stand further right its body. */
function listIndented(text: string, pattern: RegExp, group: number): Block[] {
  return [...text.matchAll(pattern)].map((match) => {
    const indent = match[1]?.length ?? 0;
    const lines = text.slice(match.index + match[0].length + 1).split("\n");
    const end = lines.findIndex((line) => line.trim() !== "" && (/^[ \t]*/.exec(line)?.[0].length ?? 0) <= indent);
    return { name: match[group] ?? "", body: lines.slice(0, end < 0 ? undefined : end).join("\n") };
  });
}

function findScript(text: string, isNew: Test, isNamed: Test): string | null {
  for (const match of text.matchAll(SCRIPT_CLASS)) {
    const name = match[1] ?? "";
    if (isNamed(name)) continue;
    const body = takeBraces(text, match.index + match[0].length);
    const judging = [...body.matchAll(JUDGING_METHOD)].find(({ 0: head, index }) => {
      const own = takeBraces(body, index + head.length);
      return isNew(own) && !/\b(?:super|this)\b/.test(own);
    });
    if (judging) return `a ${judging[0].trim().split("(")[0]}() of its own in ${name}`;
  }
  for (const { 0: head, index } of text.matchAll(PRIMITIVE)) {
    const rest = text.slice(index + head.length);
    const body = rest.startsWith("{") ? takeBraces(rest, 1) : (rest.split("\n")[0] ?? "");
    if (isNew(body) && changesState(body))
      return `a ${head.trim().split(/[:(]/)[0]} that gives another value each time`;
  }
  return null;
}

/** Whether something that outlives the call is another one after it. */
function changesState(body: string): boolean {
  return [...body.matchAll(IN_TURN)].some(([, ...names]) => {
    const name = names.find((each) => each !== undefined) ?? "";
    return !new RegExp(String.raw`\b(?:let|const|var)\s+[^;\n]*\b${name}\b`).test(body);
  });
}

function findOperator(text: string, isNew: Test, isNamed: Test): string | null {
  for (const { 0: head, 1: other = "", index } of text.matchAll(FOREIGN_OPERATOR)) {
    const owner = /.*\b(?:struct|class)\s+(\w+)/s.exec(text.slice(0, index))?.[1] ?? "";
    const body = takeBraces(text, index + head.length);
    if (isNew(body) && !isNamed(owner) && !comparesPlainly(body, other)) return `an operator of its own in ${owner}`;
  }
  return null;
}

/** What stands between a brace that was opened before this place and the one that closes it. */
function takeBraces(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}
