import { isNode, type SyntaxNode } from "../../source/parse-script.ts";
import { editCall } from "./call-rules.ts";
import { editLiteral } from "./literal-rules.ts";
import { isIdle, likeness, type RuleRequest, shift } from "./rule-request.ts";
import { METHOD_NEIGHBOURS, OPERATOR_NEIGHBOURS } from "./script-neighbours.ts";

const EDITORS: Readonly<Record<string, (request: RuleRequest) => void>> = {
  BinaryExpression: editBinary,
  LogicalExpression: editLogical,
  AssignmentExpression: editAssignment,
  UnaryExpression: editUnary,
  UpdateExpression: editUpdate,
  Identifier: editIdentifier,
  MemberExpression: editMember,
  OptionalMemberExpression: editMember,
  CallExpression: editCall,
  NewExpression: editCall,
  ConditionalExpression: editTernary,
  ArrayExpression: editArray,
  TemplateLiteral: editTemplate,
  YieldExpression: editYield,
  AwaitExpression: ({ node, replace, whole }) => {
    if (isNode(node.argument)) replace(node, whole(node.argument), "await", 0.1);
  },
};

/** The edits at one expression. */
export function editScriptExpression(request: RuleRequest): void {
  editLiteral(request);
  EDITORS[request.node.type]?.(request);
  if (isValue(request)) useIngredients(request);
}

function editBinary({ node, slice, whole, put, replace, text }: RuleRequest): void {
  const { left, right } = node;
  if (!isNode(left) || !isNode(right)) return;
  const operator = String(node.operator);
  const at = text.indexOf(operator, left.end);
  if (at < 0 || at > right.start) return;
  for (const [other, prior] of Object.entries(OPERATOR_NEIGHBOURS[operator] ?? {})) {
    // Without the operand it is the same, and listed below.
    if (right.type === "NumericLiteral" && isIdle(other, right.value)) continue;
    put(at, at + operator.length, other, "operator", prior);
    const isCount = right.type === "NumericLiteral" && /^[<>=!]/.test(operator) && /^[<>=!]/.test(other);
    for (const step of isCount ? [1, -1] : []) {
      put(at, right.end, `${other} ${Number(right.value) + step}`, "operator", 0.12);
    }
  }
  if (/^[-+/%*]/.test(operator)) {
    replace(node, whole(left), "operand", 0.35);
    replace(node, whole(right), "operand", 0.35);
    if (operator !== "*")
      replace(node, `${whole(right)} ${operator} ${whole(left)}`, "order", operator === "+" ? 0.25 : 0.5);
    shift({ node, replace, whole }, 0.25);
    replace(node, `Math.floor(${slice(node)})`, "wrap", operator === "/" ? 0.6 : 0.04);
    replace(node, `Math.round(${slice(node)})`, "wrap", operator === "/" ? 0.3 : 0.04);
    regroup({ node, left, right, operator, whole, replace });
  }
}

function regroup(request: {
  node: SyntaxNode;
  left: SyntaxNode;
  right: SyntaxNode;
  operator: string;
  whole(node: SyntaxNode): string;
  replace: RuleRequest["replace"];
}): void {
  const { node, left, right, operator, whole, replace } = request;
  if (left.type === "BinaryExpression" && isNode(left.left) && isNode(left.right)) {
    const inner = `(${whole(left.right)} ${operator} ${whole(right)})`;
    replace(node, `${whole(left.left)} ${String(left.operator)} ${inner}`, "grouping", 0.25);
  }
  if (right.type === "BinaryExpression" && isNode(right.left) && isNode(right.right)) {
    const inner = `(${whole(left)} ${operator} ${whole(right.left)})`;
    replace(node, `${inner} ${String(right.operator)} ${whole(right.right)}`, "grouping", 0.25);
  }
}

function editLogical({ node, put, replace, whole, text }: RuleRequest): void {
  const { left, right } = node;
  if (!isNode(left) || !isNode(right)) return;
  const operator = String(node.operator);
  const at = text.indexOf(operator, left.end);
  for (const other of ["&&", "||", "??"]) {
    if (other !== operator && at >= 0)
      put(at, at + operator.length, other, "boolean", other === "??" || operator === "??" ? 0.4 : 0.8);
  }
  replace(node, whole(left), "condition", 0.4);
  replace(node, whole(right), "condition", 0.4);
  replace(left, `!${whole(left)}`, "boolean", 0.25);
  replace(right, `!${whole(right)}`, "boolean", 0.25);
}

function editAssignment({ node, put, replace, slice, text, owner }: RuleRequest): void {
  const { left, right } = node;
  if (!isNode(left) || !isNode(right)) return;
  const operator = String(node.operator);
  const at = text.indexOf(operator, left.end);
  const plain = operator.slice(0, -1);
  if (at < 0) return;
  for (const [other, prior] of Object.entries(OPERATOR_NEIGHBOURS[plain] ?? {})) {
    put(at, at + operator.length, `${other}=`, "assignment", prior);
  }
  if (plain !== "") put(at, at + operator.length, "=", "assignment", 0.35);
  else
    for (const other of ["+=", "-=", "*=", "||=", "??="])
      put(at, at + 1, other, "assignment", other === "+=" ? 0.3 : 0.1);
  const [target, value] = [slice(left), slice(right)];
  for (const word of ["max", "min"]) {
    if (plain === "") replace(right, `Math.${word}(${target}, ${value})`, "wrap", 0.2);
  }
  if (plain === "+") replace(node, `${target} = ${value} + ${target}`, "order", 0.3);
  for (const other of owner.targets) if (other !== target) replace(left, other, "target", 0.2);
}

function editUnary({ node, put, text }: RuleRequest): void {
  const { argument } = node;
  if (!isNode(argument)) return;
  if (node.operator === "!") put(node.start, argument.start, "", "boolean", 0.7);
  if (node.operator === "-" || node.operator === "~" || node.operator === "+") {
    put(node.start, argument.start, text[argument.start] === "-" ? " " : "", "unary", 0.5);
  }
}

function editUpdate({ node, put }: RuleRequest): void {
  const at = node.prefix === true ? node.start : node.end - 2;
  put(at, at + 2, node.operator === "++" ? "--" : "++", "update", 0.6);
}

/** A name that is a value: no declaration, no key, no property. */
function isReference({ node, above }: RuleRequest): boolean {
  const parent = above?.node;
  if (!parent || /^(TS|Import|Export|Label|Break|Continue)/.test(parent.type)) return false;
  if (parent.id === node || parent.key === node || parent.label === node) return false;
  if (parent.property === node && parent.computed !== true) return false;
  if (Array.isArray(parent.params) && parent.params.includes(node)) return false;
  return !(/Pattern$|RestElement/.test(parent.type) && parent.right !== node) && parent.param !== node;
}

function editIdentifier(request: RuleRequest): void {
  const { node, above, owner, parts, replace, text } = request;
  const parent = above?.node;
  if (!parent || !isReference(request) || node.name === "undefined") return;
  const name = String(node.name);
  if (parent.shorthand === true) return;
  if (parent.callee === node) {
    for (const other of parts.functionNames) {
      if (other !== name) replace(node, other, "call", 0.15 + 0.3 * likeness(name, other));
    }
    return;
  }
  for (const other of owner.names) {
    if (other !== name) replace(node, other, "variable", 0.25 + 0.35 * likeness(name, other));
  }
  const isTarget = parent.type === "AssignmentExpression" && parent.left === node;
  if (isTarget || parent.type === "UpdateExpression" || parent.type === "ForOfStatement") return;
  for (const other of parts.constants) {
    if (other !== name && !parts.functionNames.includes(other))
      replace(node, other, "variable", 0.08 + 0.3 * likeness(name, other));
  }
  if (parts.properties.get("this")?.includes(name)) replace(node, `this.${name}`, "property", 0.5);
  wrapName(request, name, parent, text);
}

function wrapName({ node, owner, replace, whole }: RuleRequest, name: string, parent: SyntaxNode, text: string): void {
  if (parent.object === node) return;
  const isCounted = parent.type === "BinaryExpression" || parent.property === node || parent.type === "CallExpression";
  if (!owner.lists.has(name) && !owner.sets.has(name)) {
    shift({ node, replace, whole }, owner.numbers.has(name) ? 0.5 : isCounted ? 0.3 : 0.1);
    for (const other of owner.names.slice(0, 8)) {
      if (other === name || owner.lists.has(other) || owner.sets.has(other)) continue;
      for (const sign of ["-", "+"]) replace(node, `${name} ${sign} ${other}`, "operand", isCounted ? 0.06 : 0.02);
    }
    for (const form of ["Math.abs(%)", "Number(%)", "String(%)", "-%", "Math.floor(%)"]) {
      replace(node, form.replace("%", name), "wrap", 0.08);
    }
  }
  const isListed = text.includes(`${name}.length`) || text.includes(`${name}[`) || owner.lists.has(name);
  const forms = {
    ".slice(1)": 0.12,
    ".slice()": 0.1,
    ".length": 0.15,
    ".length - 1": 0.12,
    "[0]": 0.1,
    ".trim()": 0.08,
  };
  for (const [form, prior] of Object.entries({
    ...forms,
    ".toLowerCase()": 0.08,
    ".slice(0, -1)": 0.1,
    ".at(-1)": 0.1,
  })) {
    replace(node, name + form, "wrap", prior * (isListed ? 1 : 0.4));
  }
  for (const form of ["[...%]", "!%"]) replace(node, form.replace("%", name), "wrap", 0.06);
}

function editMember(request: RuleRequest): void {
  const { node, above, parts, put, replace, slice, whole, owner } = request;
  const { object, property } = node;
  if (!isNode(object) || !isNode(property)) return;
  const isCalled = above?.node.callee === node;
  if (node.computed === true) {
    replace(node, whole(object), "index", 0.12);
    shift({ node, replace, whole }, 0.1);
    if (
      object.type === "MemberExpression" &&
      object.computed === true &&
      isNode(object.object) &&
      isNode(object.property)
    ) {
      replace(node, `${slice(object.object)}[${slice(property)}][${slice(object.property)}]`, "index", 0.5);
    }
    if (!isCalled) replace(node, `(${slice(node)} ?? 0)`, "default", 0.12);
    return;
  }
  const name = slice(property);
  for (const other of METHOD_NEIGHBOURS.get(name) ?? []) put(property.start, property.end, other, "call", 0.7);
  const known = new Set(parts.properties.get(slice(object)) ?? []);
  if (object.type === "ThisExpression" || object.type === "Identifier") {
    for (const names of parts.properties.values()) for (const each of names) known.add(each);
  }
  for (const other of known) {
    if (other !== name && parts.methods.has(other) === isCalled) {
      put(property.start, property.end, other, "property", 0.15 + 0.4 * likeness(name, other));
    }
  }
  if (isCalled) return;
  if (name === "length" || name === "size") shift({ node, replace, whole }, 0.5);
  else shift({ node, replace, whole }, 0.12);
  if (object.type === "ThisExpression" && owner.names.includes(name)) replace(node, name, "property", 0.4);
  if (node.type === "MemberExpression") put(object.end, property.start, "?.", "property", 0.12);
}

function editTernary({ node, replace, slice }: RuleRequest): void {
  const { test, consequent, alternate } = node;
  if (!isNode(test) || !isNode(consequent) || !isNode(alternate)) return;
  replace(node, `${slice(test)} ? ${slice(alternate)} : ${slice(consequent)}`, "order", 0.4);
  replace(node, slice(consequent), "condition", 0.1);
  replace(node, slice(alternate), "condition", 0.1);
}

function editArray({ node, slice, put, replace, owner }: RuleRequest): void {
  const items = Array.isArray(node.elements) ? node.elements.filter(isNode) : [];
  const [one, two] = items;
  if (items.length === 2 && one && two) put(one.start, two.end, `${slice(two)}, ${slice(one)}`, "order", 0.4);
  if (items.length === 0) {
    replace(node, "[[]]", "literal", 0.12);
    for (const name of owner.names) replace(node, `[${name}]`, "literal", 0.12);
  }
}

function editTemplate({ node, put, text }: RuleRequest): void {
  const quasis = Array.isArray(node.quasis) ? node.quasis.filter(isNode) : [];
  for (const quasi of quasis) {
    const value = text.slice(quasi.start, quasi.end);
    for (const other of ["", " ", ", ", "-", ":", `${value} `, ` ${value}`, value.trim()]) {
      if (other !== value) put(quasi.start, quasi.end, other, "string", 0.06);
    }
  }
}

function editYield({ node, put, text }: RuleRequest): void {
  if (!isNode(node.argument)) return;
  const words = node.delegate === true ? "yield " : "yield* ";
  put(node.start, node.argument.start, words, "yield", 0.6);
  if (text[node.start] === "y") put(node.start, node.argument.start, "return ", "yield", 0.05);
}

const POOLED = new Set(["CallExpression", "MemberExpression", "BinaryExpression", "Identifier", "ArrayExpression"]);

function isValue(request: RuleRequest): boolean {
  const { node, above } = request;
  const parent = above?.node;
  if (!parent || !POOLED.has(node.type)) return false;
  if (parent.callee === node || parent.object === node || parent.type === "ExpressionStatement") return false;
  if (parent.type === "AssignmentExpression" && parent.left === node) return false;
  if (parent.type === "UpdateExpression" || parent.type === "ForOfStatement" || parent.type === "ForInStatement")
    return false;
  return node.type !== "Identifier" || (isReference(request) && parent.shorthand !== true);
}

/** Another expression of the same function in this place. */
function useIngredients({ node, owner, replace, slice }: RuleRequest): void {
  const text = slice(node);
  for (const name of node.type === "Identifier" ? [] : owner.names) replace(node, name, "variable", 0.06);
  for (const other of owner.expressions.slice(0, 25)) {
    if (other.text !== text) replace(node, other.text, "expression", other.type === node.type ? 0.12 : 0.07);
  }
}
