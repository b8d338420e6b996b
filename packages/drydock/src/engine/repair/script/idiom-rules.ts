import { isNode, type SyntaxNode, type Visit } from "../../source/parse-script.ts";
import { likeness, type RuleRequest } from "./rule-request.ts";
import { FUNCTIONS } from "./script-scope.ts";

const IN_PLACE = new Set(["sort", "reverse", "splice", "push", "unshift", "fill"]);
const TEXT_METHODS = new Set([
  "trim",
  "slice",
  "substring",
  "replace",
  "replaceAll",
  "toString",
  "join",
  "toUpperCase",
]);

const EDITORS: Readonly<Record<string, (request: RuleRequest) => void>> = {
  CallExpression: editForgottenCall,
  ExpressionStatement: addReturn,
  AssignmentExpression: editAccumulation,
  IfStatement: guardPlaces,
  WhileStatement: guardPlaces,
  ConditionalExpression: guardPlaces,
  BinaryExpression: editComparison,
  BooleanLiteral: editFlag,
  VariableDeclarator: copyValue,
  MemberExpression: editMember,
  TemplateLiteral: editHoles,
};

/** Idioms of which a part was forgotten: an await, a copy, a return, a place that has to exist before it is read. */
export function editScriptIdiom(request: RuleRequest): void {
  EDITORS[request.node.type]?.(request);
}

/** The innermost function around a node; null at the top. */
function innermostFunction(visit: Visit | null): SyntaxNode | null {
  for (let at = visit; at; at = at.above) if (FUNCTIONS.has(at.node.type)) return at.node;
  return null;
}

function editForgottenCall(request: RuleRequest): void {
  const { node, above, put, replace, slice } = request;
  const { callee } = node;
  if (!isNode(callee)) return;
  if (innermostFunction(above)?.async === true && above?.node.type !== "AwaitExpression") {
    const shown = `await ${slice(node)}`;
    put(node.start, node.end, above?.node.object === node ? `(${shown})` : shown, "await", 0.45);
  }
  for (const each of (Array.isArray(node.arguments) ? node.arguments : []).filter(isNode)) {
    if (each.type === "Identifier") put(each.start, each.start, "...", "arguments", isRest(above, each) ? 0.45 : 0.05);
    if (each.type === "SpreadElement") put(each.start, each.start + 3, "", "arguments", 0.2);
  }
  const method = isNode(callee.property) ? slice(callee.property) : "";
  if (isNode(callee.object) && IN_PLACE.has(method)) {
    const prior = method === "sort" || method === "reverse" ? 0.35 : 0.05;
    put(callee.object.start, callee.object.end, `[...${slice(callee.object)}]`, "copy", prior);
  }
  swapSteps(request, callee);
  if (TEXT_METHODS.has(method) && above?.node.object !== node) {
    for (const [form, prior] of Object.entries({ ".trim()": 0.2, ".toLowerCase()": 0.2, ".toUpperCase()": 0.08 })) {
      replace(node, slice(node) + form, "wrap", prior);
    }
  }
}

/** Two things that are done one after the other, in the other order: to the argument instead of to the result, or the calls. */
function swapSteps({ node, replace, slice, whole, text }: RuleRequest, callee: SyntaxNode): void {
  const argumentOf = (call: unknown) => {
    const given = isNode(call) && call.type === "CallExpression" && Array.isArray(call.arguments) ? call.arguments : [];
    return given.length === 1 && isNode(given[0]) && given[0].type !== "SpreadElement" ? given[0] : null;
  };
  const inner = callee.type === "Identifier" ? argumentOf(node) : callee.object;
  const innermost = argumentOf(inner);
  if (!isNode(inner) || innermost === null || !isNode(inner.callee) || inner.callee.type !== "Identifier") return;
  const done =
    callee.type === "Identifier"
      ? `${slice(callee)}(${slice(innermost)})`
      : whole(innermost) + text.slice(inner.end, node.end);
  replace(node, `${slice(inner.callee)}(${done})`, "order", 0.2);
}

function isRest(visit: Visit | null, { name }: SyntaxNode): boolean {
  const params = innermostFunction(visit)?.params;
  return (Array.isArray(params) ? params.filter(isNode) : []).some(
    ({ type, argument }) => type === "RestElement" && isNode(argument) && argument.name === name,
  );
}

/** What is looked for may not be there: then its place is -1. */
function guardPlaceFound({ node, put, slice, text }: RuleRequest): void {
  const used = new Set(slice(node).match(/[A-Za-z_$][\w$]*/g));
  const earlier = text.slice(Math.max(0, node.start - 500), node.start);
  for (const [, name = ""] of earlier.matchAll(/(\w+) = [^;\n]*\.(?:indexOf|lastIndexOf|findIndex|search)\(/g)) {
    if (used.has(name)) put(node.start, node.start, `if (${name} >= 0) `, "condition", 0.3);
  }
}

function addReturn(request: RuleRequest): void {
  const { node, above, put } = request;
  const { expression } = node;
  guardPlaceFound(request);
  if (!isNode(expression) || /^(Assignment|Update|Await|Yield)/.test(expression.type) || !innermostFunction(above))
    return;
  const isMethod =
    expression.type === "CallExpression" && isNode(expression.callee) && isNode(expression.callee.object);
  put(node.start, node.start, "return ", "return", isMethod ? 0.25 : 0.5);
}

/** A sum, or the largest so far, that begins with nothing. */
function editAccumulation({ node, replace, slice, whole }: RuleRequest): void {
  const { left, right } = node;
  if (!isNode(left) || !isNode(right) || node.operator !== "=") return;
  const [target, value] = [slice(left), slice(right)];
  if (left.type === "MemberExpression" && left.computed === true) {
    replace(right, `(${target} ?? 0) + ${whole(right)}`, "assignment", 0.25);
    if (right.type === "ArrayExpression") replace(right, `[...(${target} ?? []), ${value.slice(1)}`, "assignment", 0.3);
    replace(right, `Math.max(${target} ?? 0, ${value})`, "wrap", 0.2);
    replace(right, `Math.min(${target} ?? ${value}, ${value})`, "wrap", 0.08);
  }
  if (right.type === "BooleanLiteral") replace(right, `!${target}`, "boolean", 0.3);
}

/** A condition that reads a place which may not be there. */
function guardPlaces({ node, replace, slice, whole }: RuleRequest): void {
  const { test } = node;
  if (!isNode(test) || (test.type === "LogicalExpression" && test.operator === "||")) return;
  const text = slice(test);
  const seen = new Set<string>();
  for (const [, place = "", index = ""] of text.matchAll(/([\w$.]+)\[([\w$.]+(?: [-+] \w+)?)\]/g)) {
    for (const [form, prior] of [
      [`${index} < ${place}.length`, 0.3],
      [`${place}.length > 0`, 0.15],
      [`${index} >= 0`, 0.12],
      [`${index} in ${place}`, 0.12],
    ] as const) {
      if (!seen.has(form) && !text.includes(form)) replace(test, `${form} && ${whole(test)}`, "condition", prior);
      seen.add(form);
    }
  }
}

/** So many more have to fit before the end; a difference without its sign. */
function editComparison({ node, owner, replace, slice }: RuleRequest): void {
  const { left, right, operator } = node;
  if (operator === "-") {
    replace(node, `Math.abs(${slice(node)})`, "wrap", 0.12);
    replace(node, `Math.max(0, ${slice(node)})`, "wrap", 0.1);
  }
  if (!isNode(left) || !isNode(right)) return;
  // Digits of a text are in another order than numbers.
  if (/^[<>]=?$/.test(String(operator)) && !/Literal$/.test(left.type + right.type)) {
    replace(node, `Number(${slice(left)}) ${operator} Number(${slice(right)})`, "wrap", 0.12);
  }
  if ((operator !== "<" && operator !== "<=") || left.type !== "Identifier") return;
  for (const name of owner.params) {
    if (name !== left.name) replace(node, `${slice(left)} + ${name} <= ${slice(right)}`, "window", 0.08);
  }
}

/** A flag that should be the opposite of what it was. */
function editFlag({ node, above, owner, replace, slice }: RuleRequest): void {
  const { node: parent } = above ?? {};
  if (parent?.type !== "ObjectProperty" || parent.value !== node || !isNode(parent.key)) return;
  const key = slice(parent.key);
  for (const name of owner.names) replace(node, `!${name}.${key}`, "boolean", 0.12);
}

function copyValue({ node, put, replace, slice }: RuleRequest): void {
  const { init } = node;
  if (!isNode(init)) return;
  if (init.type === "Identifier") {
    for (const form of ["[...%]", "{ ...% }"]) replace(init, form.replace("%", slice(init)), "copy", 0.2);
  }
  if (init.type === "ArrayExpression" || init.type === "ObjectExpression") return;
  if (/^\w+(\.\w+)*\[/.test(slice(init)) || slice(init).includes(".get(")) {
    put(init.end, init.end, " ?? []", "default", 0.12);
    put(init.end, init.end, ' ?? ""', "default", 0.06);
  }
}

function editMember({ node, above, replace, slice }: RuleRequest): void {
  const parent = above?.node;
  const isTarget = parent?.type === "AssignmentExpression" && parent.left === node;
  if (!isTarget && parent?.callee !== node && parent?.object !== node && parent?.type !== "UpdateExpression") {
    for (const form of [".trim()", ".toLowerCase()"]) replace(node, slice(node) + form, "wrap", 0.05);
    for (const form of ["Number(%)", "Math.abs(%)", "String(%)"])
      replace(node, form.replace("%", slice(node)), "wrap", 0.04);
  }
  // The first letter of a text that may be empty.
  if (parent?.object === node && node.computed === true && isNode(node.object) && isNode(node.property)) {
    replace(node, `${slice(node)} ?? ""`, "wrap", 0.2);
    replace(node, `${slice(node.object)}.charAt(${slice(node.property)})`, "wrap", 0.15);
  }
  if (above?.node.type === "ArrowFunctionExpression" && above.node.body === node) {
    replace(node, `-${slice(node)}`, "unary", 0.3);
  }
}

/** What a template puts in: another name in its place. */
function editHoles({ node, owner, put, slice }: RuleRequest): void {
  for (const each of (Array.isArray(node.expressions) ? node.expressions : []).filter(isNode)) {
    const text = slice(each);
    if (each.type === "Identifier") {
      for (const name of owner.names) {
        if (name !== text) put(each.start, each.end, name, "variable", 0.2 + 0.2 * likeness(name, text));
      }
    }
    put(each.start, each.end, `String(${text}).padStart(2, "0")`, "format", 0.1);
  }
}

/** Statements that a function may lack as a whole. */
export function addScriptIdioms(
  add: (text: string, prior: number) => void,
  { above, owner, parts }: RuleRequest,
): void {
  const isAsync = innermostFunction(above)?.async === true;
  for (const name of owner.names.slice(0, 10)) {
    if (isAsync && owner.lists.has(name)) add(`await Promise.all(${name});`, 0.12);
    if (isAsync) add(`await ${name};`, 0.04);
    if (!owner.lists.has(name) && !owner.sets.has(name) && owner.functions.has(name)) add(`${name}();`, 0.12);
  }
  for (const statement of owner.statements) {
    const found = /^[\w.]+\.(?:push|add)\((?:\w+\()?(\w+)\)?\)$/.exec(statement);
    if (found?.[1]) {
      add(`if (${found[1]}) ${statement};`, 0.05);
      add(`if (${found[1]}.length > 0) ${statement};`, 0.06);
    }
  }
  // What is used up is taken out.
  for (const statement of owner.statements) {
    const [, place] = /^([\w.]+\[[^\]]+\]) -= /.exec(statement) ?? [];
    if (place !== undefined) add(`if (!${place}) delete ${place};`, 0.06);
  }
  for (const property of (parts.properties.get("this") ?? []).slice(0, 6)) {
    if (parts.methods.has(property)) continue;
    add(`this.${property} += 1;`, 0.05);
    add(`this.${property} -= 1;`, 0.03);
    for (const name of owner.params.slice(0, 2)) {
      add(`this.${property} = ${name};`, 0.05);
      add(`this.${property}.push(${name});`, 0.04);
    }
  }
  for (const raised of new Set([...owner.throws, ...parts.throws])) {
    for (const name of owner.params.slice(0, 3)) {
      for (const form of ["!%", "% < 0", "% <= 0", "% == null"]) {
        add(`if (${form.replace("%", name)}) ${raised}`, owner.throws.includes(raised) ? 0.04 : 0.025);
      }
    }
  }
}
