import { child, children, isCall, isMember, nameOf } from "../../../mutate/spoil/script/nodes.ts";
import { childrenOf, type SyntaxNode } from "../../../source/parse-script.ts";
import { dataTerm, type Expression } from "./facts.ts";

const READERS = new Set(["readFileSync", "readFile", "createReadStream"]);
/** They stand around a value and change nothing of it. */
const WRAPPERS = new Set([
  "AwaitExpression",
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "ParenthesizedExpression",
]);

/** The value inside of `await x`, `x as T`, `x!`. */
export function unwrap(node: SyntaxNode | null): SyntaxNode | null {
  let value = node;
  while (value && WRAPPERS.has(value.type)) value = child(value, "expression") ?? child(value, "argument");
  return value;
}

/** `lib.slow` as its parts; `table[0].want` keeps what has a name. Null: it does not begin with a name. */
export function dotted(node: SyntaxNode | null): string[] | null {
  const value = unwrap(node);
  if (value?.type === "Identifier") return [nameOf(value)];
  if (value?.type === "ThisExpression") return ["this"];
  if (!isMember(value)) return null;
  const below = dotted(child(value, "object"));
  const name = value.computed ? "" : nameOf(value);
  return below && (name === "" ? below : [...below, name]);
}

/** The names that the value of an expression comes from. */
export function termsOf(node: SyntaxNode | null): Expression {
  const value = unwrap(node);
  if (!value) return [];
  if (isCall(value) || value.type === "NewExpression") return callTerms(value);
  const parts = dotted(value);
  if (parts) return [{ parts, called: false, args: [] }];
  if (isMember(value)) return termsOf(child(value, "object"));
  if (value.type === "ArrowFunctionExpression" || value.type === "FunctionExpression") return listReturned(value);
  if (value.type === "ObjectProperty") return termsOf(child(value, "value"));
  return childrenOf(value).flatMap(termsOf);
}

function callTerms(call: SyntaxNode): Expression {
  const inner = children(call, "arguments").flatMap(termsOf);
  const callee = unwrap(child(call, "callee"));
  const required = requiredBy(call);
  if (required !== null) return [{ parts: [`#import:${required}`], called: false, args: [] }];
  if (READERS.has(nameOf(callee))) return [dataTerm(firstPath(call))];
  if (isElementCall(call)) {
    // What is kept of a list is not what is compared; what is made of it is.
    const callback = children(call, "arguments").find(isFunction);
    return callback && /map/i.test(nameOf(callee)) ? listReturned(callback) : [];
  }
  const parts = dotted(callee);
  if (parts) return [{ parts, called: true, args: inner }];
  const [first, ...others] = termsOf(callee);
  return first ? [{ ...first, args: [...first.args, ...inner] }, ...others] : inner;
}

const EACH_ELEMENT = new Set(["forEach", "map", "filter", "some", "every", "flatMap"]);

/** `list.map((each) => …)` */
export function isElementCall(call: SyntaxNode): boolean {
  const callee = unwrap(child(call, "callee"));
  return isMember(callee) && EACH_ELEMENT.has(nameOf(callee)) && children(call, "arguments").some(isFunction);
}

/** The module of `require("./a")` or `import("./a")`; null for any other call. */
export function requiredBy(call: SyntaxNode): string | null {
  const callee = child(call, "callee");
  const isImport = nameOf(callee) === "require" || callee?.type === "Import";
  const [first] = children(call, "arguments");
  return isImport && first?.type === "StringLiteral" ? String(first.value) : null;
}

function firstPath(call: SyntaxNode): string {
  const stack = [...children(call, "arguments")];
  for (let node = stack.shift(); node; node = stack.shift()) {
    if (node.type === "StringLiteral" && /[./]/.test(String(node.value))) return String(node.value);
    stack.push(...childrenOf(node));
  }
  return "";
}

/** What a function returns; what functions inside of it return is theirs. */
export function listReturned(node: SyntaxNode): Expression {
  const body = child(node, "body");
  if (body?.type !== "BlockStatement") return termsOf(body);
  const found: Expression = [];
  const stack = [body];
  for (let each = stack.pop(); each; each = stack.pop()) {
    if (each.type === "ReturnStatement") found.push(...termsOf(child(each, "argument")));
    if (!isFunction(each)) stack.push(...childrenOf(each));
  }
  return found;
}

export function isFunction({ type }: SyntaxNode): boolean {
  return /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(type);
}

/** The names that a pattern binds, in order. */
export function namesIn(pattern: SyntaxNode | null): string[] {
  if (!pattern) return [];
  if (pattern.type === "Identifier") return [nameOf(pattern)];
  if (pattern.type === "AssignmentPattern") return namesIn(child(pattern, "left"));
  if (pattern.type === "RestElement") return namesIn(child(pattern, "argument"));
  if (pattern.type === "ObjectProperty") return namesIn(child(pattern, "value"));
  return [...children(pattern, "elements"), ...children(pattern, "properties")].flatMap(namesIn);
}
