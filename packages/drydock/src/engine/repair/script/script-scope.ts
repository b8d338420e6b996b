import { childrenOf, isNode, type SyntaxNode, type Visit, walkNodes } from "../../source/parse-script.ts";

export const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
  "ClassPrivateMethod",
]);

/** What one function offers to edits inside of it: text of the source, the most useful first. */
export interface FunctionParts {
  /** Parameters and variables, those of functions around it after its own. */
  names: string[];
  params: string[];
  conditions: string[];
  returns: string[];
  /** Expressions by the type of their node. */
  expressions: { text: string; type: string }[];
  statements: string[];
  /** Left sides of assignments. */
  targets: string[];
  /** Variables that were a list, a set or a map when they were made. */
  lists: Set<string>;
  sets: Set<string>;
  /** Variables that hold numbers, as far as that shows. */
  numbers: Set<string>;
  /** Variables that hold functions, as far as that shows. */
  functions: Set<string>;
  throws: string[];
}

export interface ScriptParts {
  functions: Map<SyntaxNode | null, FunctionParts>;
  /** What the outermost function around a node offers: functions inside of it share its variables. */
  ownerOf(visit: Visit): FunctionParts;
  functionNames: string[];
  constants: string[];
  strings: string[];
  numbers: number[];
  /** Properties by the text of what they were read from. */
  properties: Map<string, string[]>;
  methods: Set<string>;
  throws: string[];
  /** The first statements of all functions. */
  statements: string[];
}

const MAX_TEXT = 60;
/** In a long file, the first ones stand for all. */
const MAX_VALUES = 25;
/** What is tried in many places is a list of so many: the files are untrusted, and a function may have a million variables. */
const MAX_INGREDIENTS = 100;
const FIRST_STATEMENTS = 20;

/** Reads what a file offers to edits. */
export function readParts(root: SyntaxNode, text: string): ScriptParts {
  const functions = new Map<SyntaxNode | null, FunctionParts>();
  const outermost = findOutermost();
  const parts: ScriptParts = {
    functions,
    ownerOf: (visit) => getParts(functions, outermost(visit)),
    ...{ functionNames: [], constants: [], strings: [], numbers: [], properties: new Map(), methods: new Set() },
    ...{ throws: [], statements: [] },
  };
  const slice = (node: SyntaxNode) => text.slice(node.start, node.end);
  for (const visit of walkNodes(root)) {
    const { node } = visit;
    if (visit.above && node.type.startsWith("TS")) continue;
    const top = outermost(visit);
    const owner = getParts(functions, top);
    readNames(node, { owner, parts, slice, isTop: top === null });
    readIngredients(node, owner, slice);
    if (node.type === "ThrowStatement") for (const list of [owner.throws, parts.throws]) addShort(list, slice(node));
    readLiterals(node, parts, slice);
  }
  parts.statements = [...functions.values()].flatMap(({ statements }) => statements).slice(0, FIRST_STATEMENTS);
  return parts;
}

function getParts(functions: Map<SyntaxNode | null, FunctionParts>, owner: SyntaxNode | null): FunctionParts {
  const known = functions.get(owner);
  if (known) return known;
  const empty: FunctionParts = {
    ...{ names: [], params: [], conditions: [], returns: [], expressions: [], statements: [], targets: [] },
    ...{ lists: new Set(), sets: new Set(), numbers: new Set(), functions: new Set(), throws: [] },
  };
  functions.set(owner, empty);
  return empty;
}

/** The outermost function around a node, or the node itself; methods of a class are functions. Null at the top. */
function findOutermost(): (visit: Visit) => SyntaxNode | null {
  // A tree may be as deep as it has nodes: the way up is gone once.
  const known = new WeakMap<Visit, SyntaxNode | null>();
  return (visit) => {
    const open: Visit[] = [];
    let at: Visit | null = visit;
    while (at && !known.has(at)) {
      open.push(at);
      at = at.above;
    }
    let found = (at && known.get(at)) ?? null;
    for (const each of open.reverse()) {
      found ??= FUNCTIONS.has(each.node.type) ? each.node : null;
      known.set(each, found);
    }
    return found;
  };
}

interface NameReading {
  owner: FunctionParts;
  parts: ScriptParts;
  slice(node: SyntaxNode): string;
  /** Whether it stands in no function. */
  isTop: boolean;
}

function readNames(node: SyntaxNode, { owner, parts, slice, isTop }: NameReading): void {
  if (FUNCTIONS.has(node.type)) {
    for (const param of Array.isArray(node.params) ? node.params.filter(isNode) : []) {
      for (const name of namesIn(param)) addOnce(owner.params, name);
      for (const name of namesIn(param)) addOnce(owner.names, name);
    }
    if (isNode(node.id) && node.type === "FunctionDeclaration") addOnce(parts.functionNames, slice(node.id));
  }
  if (node.type !== "VariableDeclarator" || !isNode(node.id)) return;
  for (const name of namesIn(node.id)) addOnce(isTop ? parts.constants : owner.names, name);
  if (!isNode(node.init) || node.id.type !== "Identifier") return;
  const name = slice(node.id);
  if (node.init.type === "ArrayExpression") addTo(owner.lists, name);
  if (node.init.type === "NumericLiteral") addTo(owner.numbers, name);
  if (FUNCTIONS.has(node.init.type) || node.init.type === "CallExpression") addTo(owner.functions, name);
  if (node.init.type === "NewExpression" && /^new (Set|Map)\b/.test(slice(node.init))) addTo(owner.sets, name);
  if (isTop && FUNCTIONS.has(node.init.type)) addOnce(parts.functionNames, name);
}

function namesIn(pattern: SyntaxNode): string[] {
  if (pattern.type === "Identifier") return [String(pattern.name)];
  if (pattern.type === "AssignmentPattern" && isNode(pattern.left)) return namesIn(pattern.left);
  if (pattern.type === "ObjectProperty" && isNode(pattern.value)) return namesIn(pattern.value);
  if (pattern.type === "TSParameterProperty" && isNode(pattern.parameter)) return namesIn(pattern.parameter);
  return childrenOf(pattern)
    .filter(({ type }) => !type.startsWith("TS"))
    .flatMap(namesIn);
}

const POOL = new Set([
  "CallExpression",
  "BinaryExpression",
  "MemberExpression",
  "ArrayExpression",
  "LogicalExpression",
]);

function readIngredients(node: SyntaxNode, owner: FunctionParts, slice: (node: SyntaxNode) => string): void {
  if (isNode(node.test) && node.test.type !== "BooleanLiteral") addShort(owner.conditions, slice(node.test));
  if (node.type === "ReturnStatement" && isNode(node.argument)) addShort(owner.returns, slice(node.argument));
  if (node.type === "ExpressionStatement") addShort(owner.statements, slice(node).replace(/;$/, ""));
  if (node.type === "AssignmentExpression" && isNode(node.left)) addShort(owner.targets, slice(node.left));
  if (!POOL.has(node.type)) return;
  const text = slice(node);
  if (text.length > MAX_TEXT || text.includes("\n")) return;
  if (owner.expressions.length < MAX_INGREDIENTS && !owner.expressions.some((known) => known.text === text))
    owner.expressions.push({ text, type: node.type });
}

function readLiterals(node: SyntaxNode, parts: ScriptParts, slice: (node: SyntaxNode) => string): void {
  const { strings, numbers } = parts;
  if (node.type === "StringLiteral" && strings.length < MAX_VALUES && String(node.value).length < MAX_TEXT)
    addOnce(parts.strings, String(node.value));
  if (node.type === "NumericLiteral" && numbers.length < MAX_VALUES && !numbers.includes(Number(node.value))) {
    numbers.push(Number(node.value));
  }
  if (node.type === "MemberExpression" && node.computed !== true && isNode(node.object) && isNode(node.property)) {
    const base = slice(node.object);
    const known = parts.properties.get(base) ?? [];
    addOnce(known, slice(node.property));
    if (parts.properties.size < MAX_INGREDIENTS) parts.properties.set(base, known);
  }
  if (node.type === "CallExpression" && isNode(node.callee) && isNode(node.callee.property)) {
    parts.methods.add(slice(node.callee.property));
  }
  if (node.type === "ClassMethod" && isNode(node.key)) parts.methods.add(slice(node.key));
}

function addOnce(list: string[], value: string): void {
  if (list.length < MAX_INGREDIENTS && !list.includes(value)) list.push(value);
}

function addTo(set: Set<string>, value: string): void {
  if (set.size < MAX_INGREDIENTS) set.add(value);
}

function addShort(list: string[], value: string): void {
  if (value.length <= MAX_TEXT && !value.includes("\n")) addOnce(list, value);
}
