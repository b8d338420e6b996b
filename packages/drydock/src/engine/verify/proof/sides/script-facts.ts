import { child, children, isCall, isMember, nameOf } from "../../../mutate/spoil/script/nodes.ts";
import { childrenOf, parseScript, type SyntaxNode } from "../../../source/parse-script.ts";
import { type Fact, type FileFacts, type ImportedName, parameterTerm } from "./facts.ts";
import {
  dotted,
  isElementCall,
  isFunction,
  listReturned,
  namesIn,
  requiredBy,
  termsOf,
  unwrap,
} from "./script-terms.ts";

const COMPARISON = /^([!=]==?|[<>]=?)$/;
const LINKS = new Set(["not", "resolves", "rejects", "to", "be", "have", "deep", "and", "is"]);
const TESTS = /^(test|it|specify|describe|suite|before|after|beforeEach|afterEach|beforeAll|afterAll)$/;

interface SyntaxScope {
  scope: string;
  /** Inside of an assertion. */
  firm: boolean;
}

/** Lists what a JavaScript or TypeScript file does with names; null where it can't be parsed. */
export function readScriptFacts(path: string, text: string): FileFacts | null {
  const program = parseScript(path, text);
  if (!program) return null;
  const found: FileFacts = { imports: [], functions: {}, facts: [] };
  const stack: { node: SyntaxNode; place: SyntaxScope }[] = [{ node: program, place: { scope: "", firm: false } }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node } = at;
    const place = isFunction(node) ? { scope: scopeOf(node, at.place.scope), firm: false } : at.place;
    noteNode(found, node, at.place, place.scope);
    const inside = isAssertion(node) || (node.type === "IfStatement" && fails(node)) ? { ...place, firm: true } : place;
    for (const each of childrenOf(node).reverse()) {
      const isBranch = node.type === "IfStatement" && each !== child(node, "test");
      stack.push({ node: each, place: isBranch ? place : inside });
    }
  }
  return found;
}

function scopeOf({ start }: SyntaxNode, above: string): string {
  return above === "" ? `f${start}` : `${above}.f${start}`;
}

function noteNode(file: FileFacts, node: SyntaxNode, { scope, firm }: SyntaxScope, own: string): void {
  const { facts } = file;
  if (node.type === "ImportDeclaration") file.imports.push(...listImported(node));
  if (node.type === "VariableDeclarator") noteDeclared(file, node, scope);
  if (node.type === "AssignmentExpression") {
    const value = termsOf(child(node, "right"));
    facts.push({ kind: "assign", scope, targets: namesIn(child(node, "left")), value, loop: false });
  }
  if (node.type === "FunctionDeclaration") noteFunction(file, nameOf(child(node, "id")), node, own);
  if (node.type === "ForOfStatement") {
    const left = child(node, "left");
    const targets = namesIn(child(children(left, "declarations")[0], "id") ?? left);
    facts.push({ kind: "assign", scope, targets, value: termsOf(child(node, "right")), loop: true });
  }
  if (node.type === "BinaryExpression" && COMPARISON.test(String(node.operator))) {
    facts.push({
      ...{ kind: "compare", scope, firm },
      ...{ left: termsOf(child(node, "left")), right: termsOf(child(node, "right")) },
    });
  }
  if (isCall(node)) noteElements(facts, node, scope);
  const statement = node.type === "ExpressionStatement" ? unwrap(child(node, "expression")) : null;
  if (isCall(statement)) facts.push(...describeCall(statement, scope, true));
  else if (isCall(node)) facts.push(...describeCall(node, scope, false));
  if (isCall(node) && TESTS.test(dotted(child(node, "callee"))?.[0] ?? "")) {
    for (const callback of children(node, "arguments").filter(isFunction)) {
      // `test("a", () => check(add(1, 2), 3))`: the return value is not used.
      const body = unwrap(child(callback, "body"));
      if (isCall(body)) facts.push(...describeCall(body, scopeOf(callback, scope), true));
    }
  }
}

function listImported(node: SyntaxNode): ImportedName[] {
  const specifier = String(child(node, "source")?.value);
  if (node.importKind === "type") return [];
  return children(node, "specifiers").map((each) => ({
    local: nameOf(child(each, "local")),
    specifier,
    name: each.type === "ImportSpecifier" ? nameOf(child(each, "imported")) : null,
  }));
}

function noteDeclared(file: FileFacts, node: SyntaxNode, scope: string): void {
  const [target, value] = [child(node, "id"), unwrap(child(node, "init"))];
  const call = isMember(value) ? unwrap(child(value, "object")) : value;
  const specifier = isCall(call) ? requiredBy(call) : null;
  if (specifier !== null) {
    for (const local of namesIn(target)) {
      const name = target?.type === "Identifier" ? (isMember(value) ? nameOf(value) : null) : local;
      file.imports.push({ local, specifier, name });
    }
    return;
  }
  if (value && isFunction(value)) noteFunction(file, nameOf(target), value, scopeOf(value, scope));
  else file.facts.push({ kind: "assign", scope, targets: namesIn(target), value: termsOf(value), loop: false });
}

function noteFunction({ functions, facts }: FileFacts, name: string, node: SyntaxNode, own: string): void {
  if (name === "") return;
  functions[name] = children(node, "params").map((each) => namesIn(each).join(" "));
  for (const parameter of namesInAll(children(node, "params"))) {
    const value = [parameterTerm(name, parameter)];
    facts.push({ kind: "assign", scope: own, targets: [parameter], value, loop: false });
  }
  facts.push({ kind: "assign", scope: "", targets: [name], value: listReturned(node), loop: false });
}

function namesInAll(patterns: readonly SyntaxNode[]): string[] {
  return patterns.flatMap(namesIn);
}

/** `test.each(CASES)(name, (a, b, want) => …)`, `CASES.forEach(([a, b, want]) => …)` */
function noteElements(facts: Fact[], call: SyntaxNode, scope: string): void {
  const callee = unwrap(child(call, "callee"));
  const callback = children(call, "arguments").find(isFunction);
  if (!callee || !callback) return;
  const each = isCall(callee) && nameOf(child(callee, "callee")) === "each" ? children(callee, "arguments")[0] : null;
  const list = each ?? (isElementCall(call) ? child(callee, "object") : null);
  if (!list) return;
  const parameters = children(callback, "params");
  const targets = namesInAll(each ? parameters : parameters.slice(0, 1));
  facts.push({ kind: "assign", scope: scopeOf(callback, scope), targets, value: termsOf(list), loop: true });
}

function describeCall(call: SyntaxNode, scope: string, statement: boolean): Fact[] {
  if (isElementCall(call)) return [];
  const args = children(call, "arguments");
  const callee = unwrap(child(call, "callee"));
  const tried = findExpected(callee);
  if (tried) {
    const left = hasComparison(tried) ? [] : termsOf(tried);
    if (args.length === 0) return [{ kind: "holds", scope, value: left }];
    return [{ kind: "compare", scope, left, right: args.flatMap(termsOf), firm: true }];
  }
  const parts = dotted(callee);
  if (!parts) {
    // Callbacks of `test.each(…)(…)` are looked at by themselves.
    return statement && !args.some(isFunction) ? [{ kind: "holds", scope, value: termsOf(call) }] : [];
  }
  const asserts = isAssertion(call);
  const values = args.map((each) => (isFunction(each) || (asserts && hasComparison(each)) ? [] : termsOf(each)));
  return [{ kind: "call", scope, callee: parts, args: values, statement }];
}

/** The value of `expect(value).not.toBe`; null where it is something else. */
function findExpected(matcher: SyntaxNode | null): SyntaxNode | null {
  if (!isMember(matcher)) return null;
  for (let node = unwrap(child(matcher, "object")); node; node = unwrap(child(node, "object"))) {
    if (isCall(node)) {
      const isExpect = /^expect\b/.test((dotted(child(node, "callee")) ?? []).join("."));
      return isExpect ? (children(node, "arguments")[0] ?? null) : null;
    }
    if (!isMember(node) || !LINKS.has(nameOf(node))) return null;
  }
  return null;
}

function isAssertion(node: SyntaxNode): boolean {
  return isCall(node) && /^(assert|expect|t)$/.test((dotted(child(node, "callee")) ?? [""])[0] ?? "");
}

function hasComparison(node: SyntaxNode): boolean {
  const stack = [node];
  for (let each = stack.pop(); each; each = stack.pop()) {
    if (each.type === "BinaryExpression" && COMPARISON.test(String(each.operator))) return true;
    stack.push(...childrenOf(each));
  }
  return false;
}

/** Whether a branch notes a failure: it throws, ends the process, counts. */
function fails(node: SyntaxNode): boolean {
  const branch = child(node, "consequent");
  const statements = branch?.type === "BlockStatement" ? children(branch, "body") : branch ? [branch] : [];
  return statements.some((statement) => {
    if (statement.type === "ThrowStatement") return true;
    const expression = child(statement, "expression");
    if (expression?.type === "UpdateExpression" || expression?.type === "AssignmentExpression") return true;
    return isCall(expression) && /^(exit|fail|push)$/.test(nameOf(child(expression, "callee")));
  });
}
