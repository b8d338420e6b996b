import { isNode, type SyntaxNode } from "../../source/parse-script.ts";
import { addScriptIdioms } from "./idiom-rules.ts";
import type { RuleRequest } from "./rule-request.ts";
import { FUNCTIONS } from "./script-scope.ts";

const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
const WAY_OUT = /^(Return|Throw|Break|Continue)/;
const BLOCKS = new Set(["BlockStatement", "Program", "SwitchCase"]);

/** The edits at one statement, and at what decides it. */
export function editScriptStatement(request: RuleRequest): void {
  const { node, replace, put } = request;
  if (isNode(node.test) && node.type !== "SwitchCase") editCondition(request, node.test);
  if (node.type === "ReturnStatement") editReturn(request);
  if (node.type === "BreakStatement" && !node.label) replace(node, "continue;", "loop", 0.3);
  if (node.type === "ContinueStatement" && !node.label) replace(node, "break;", "loop", 0.4);
  if (node.type === "WhileStatement") put(node.start, node.start + 5, "if", "loop", 0.15);
  if (node.type === "IfStatement" && !node.alternate) put(node.start, node.start + 2, "while", "loop", 0.12);
  if (node.type === "ForOfStatement" || node.type === "ForInStatement") swapLoop(request);
  if (node.type === "VariableDeclarator" && isNode(node.init)) editInitial(request, node.init);
  if (node.type === "ArrowFunctionExpression" && isNode(node.body) && node.body.type !== "BlockStatement") {
    editResult(request, node.body);
  }
  if (BLOCKS.has(node.type)) editBlock(request);
}

function swapLoop({ node, put, text }: RuleRequest): void {
  if (!isNode(node.left) || !isNode(node.right)) return;
  const word = node.type === "ForOfStatement" ? "of" : "in";
  const at = text.indexOf(` ${word} `, node.left.end);
  if (at >= 0 && at < node.right.start) put(at + 1, at + 3, word === "of" ? "in" : "of", "loop", 0.6);
}

function editInitial({ replace, slice, whole }: RuleRequest, init: SyntaxNode): void {
  if (init.type === "NumericLiteral" || init.type === "StringLiteral") return;
  for (const form of ["Math.floor(%)", "Math.abs(%)", "Number(%)", "[...%]"]) {
    replace(init, form.replace("%", slice(init)), "wrap", 0.06);
  }
  replace(init, `!${whole(init)}`, "boolean", 0.05);
  replace(init, `${whole(init)} ?? 0`, "default", 0.1);
}

function editCondition(request: RuleRequest, test: SyntaxNode): void {
  const { replace, whole, slice, owner } = request;
  const text = whole(test);
  replace(test, `!${text}`, "condition", 0.45);
  replace(test, "true", "condition", 0.1);
  replace(test, "false", "condition", 0.1);
  for (const [atom, prior] of listAtoms(request)) {
    if (atom === slice(test)) continue;
    replace(test, `${text} && ${atom}`, "condition", prior);
    replace(test, `${text} || ${atom}`, "condition", prior);
    replace(test, `${atom} && ${text}`, "condition", prior * 0.5);
    replace(test, `${atom} || ${text}`, "condition", prior * 0.5);
    replace(test, atom, "condition", prior * (test.type === "BooleanLiteral" ? 2 : 0.7));
  }
  // A condition that a function has twice is one that may be missing a third time.
  for (const other of owner.conditions) if (other !== slice(test)) replace(test, other, "condition", 0.15);
}

/** Conditions made of what the function knows, each with its weight. */
function listAtoms({ owner, parts }: RuleRequest): [string, number][] {
  const atoms = new Map<string, number>();
  for (const text of owner.conditions) atoms.set(/&&|\|\||\?/.test(text) ? `(${text})` : text, 0.12);
  for (const name of owner.names.slice(0, 10)) {
    const prior = owner.params.includes(name) ? 0.1 : 0.07;
    atoms.set(name, prior);
    atoms.set(`!${name}`, prior);
    if (owner.lists.has(name)) {
      atoms.set(`${name}.length > 0`, prior);
      atoms.set(`${name}.length === 0`, prior);
    } else if (!owner.sets.has(name)) {
      for (const form of [
        "% === 0",
        "% > 0",
        "% < 0",
        "% === 1",
        "% === null",
        "% !== null",
        "% === undefined",
        "%.length > 0",
        "%.length === 0",
      ]) {
        atoms.set(form.replace("%", name), prior * 0.4);
      }
    }
    for (const set of owner.sets) if (set !== name) atoms.set(`${set}.has(${name})`, 0.07);
    for (const list of owner.lists) if (list !== name) atoms.set(`${list}.includes(${name})`, 0.05);
  }
  for (const property of parts.properties.get("this") ?? []) {
    if (parts.methods.has(property)) continue;
    atoms.set(`this.${property}`, 0.05);
    atoms.set(`!this.${property}`, 0.05);
  }
  return [...atoms].sort((a, b) => b[1] - a[1]).slice(0, 50);
}

function editReturn(request: RuleRequest): void {
  const { node, put, replace, owner, slice } = request;
  if (isNode(node.argument)) editResult(request, node.argument);
  if (isNode(node.argument) && node.argument.type === "Identifier" && isInLoop(request.above)) {
    // The result of one round may be none yet, and the others come to nothing.
    put(node.start, node.start, `if (${slice(node.argument)}) `, "condition", 0.25);
    put(node.start, node.start, `if (${slice(node.argument)} !== undefined) `, "condition", 0.15);
  }
  if (!node.argument) for (const name of owner.names) replace(node, `return ${name};`, "return", 0.2);
}

function isInLoop(visit: RuleRequest["above"]): boolean {
  for (let at = visit; at && !FUNCTIONS.has(at.node.type); at = at.above) if (LOOPS.has(at.node.type)) return true;
  return false;
}

const FORMS = [
  "[...%]",
  "Math.floor(%)",
  "Math.round(%)",
  "Math.abs(%)",
  "Math.max(0, %)",
  "Number(%)",
  "String(%)",
  "[%]",
  "-%",
];

function editResult(request: RuleRequest, value: SyntaxNode): void {
  const { replace, slice, whole, owner } = request;
  const text = slice(value);
  for (const other of owner.returns) if (other !== text) replace(value, other, "return", 0.3);
  for (const other of ["null", "undefined", "true", "false", "0", "1", "-1", "[]", "[[]]", '""']) {
    replace(value, other, "return", 0.12);
  }
  for (const name of owner.names) {
    if (value.type !== "Identifier") replace(value, name, "return", 0.15);
    replace(value, `${whole(value)} + ${name}`, "return", 0.05);
    replace(value, `${name} + ${whole(value)}`, "return", 0.05);
    if (text === "[]") replace(value, `[${name}]`, "return", 0.15);
  }
  replace(value, `!${whole(value)}`, "return", 0.25);
  for (const form of FORMS) replace(value, form.replace("%", form.startsWith("-") ? whole(value) : text), "wrap", 0.06);
  replace(value, `${whole(value)}.reverse()`, "wrap", 0.04);
  if (value.type === "BooleanLiteral" || /[<>=!]/.test(text)) {
    for (const [atom, prior] of listAtoms(request)) {
      replace(value, atom, "return", prior * 1.2);
      if (value.type !== "BooleanLiteral") replace(value, `${whole(value)} && ${atom}`, "return", prior * 0.6);
    }
  }
}

/** Statements that are missing, superfluous or in the wrong place. */
function editBlock(request: RuleRequest): void {
  const { node, above, text, put } = request;
  const list = node.type === "SwitchCase" ? node.consequent : node.body;
  const body = Array.isArray(list) ? list.filter(isNode) : [];
  const isTop = node.type === "Program";
  for (const [index, statement] of body.entries()) {
    if (/^(Import|Export|Function|Class|TS)/.test(statement.type)) continue;
    const [start, end] = linesOf(text, statement);
    put(start, end, "", "removal", statement.type === "ReturnStatement" ? 0.05 : 0.2);
    const next = body[index + 1];
    if (next && !/^(Function|Class|Export)/.test(next.type)) {
      const [from, to] = linesOf(text, next);
      // What follows a way out is never reached: that removes a statement, and hides it.
      if (from === end && !WAY_OUT.test(next.type))
        put(start, to, text.slice(from, to) + text.slice(start, end), "order", 0.25);
    }
    if (isTop) continue;
    insertAt(request, start, indentOf(text, statement), statement === body[0] && FUNCTIONS.has(above?.node.type ?? ""));
    if (index === body.length - 1) moveOut(request, statement);
    const before = body[index - 1];
    if (before) moveIn(request, before, statement);
  }
  const last = body.at(-1);
  if (last && !isTop && !WAY_OUT.test(last.type)) {
    insertAt(request, linesOf(text, last)[1], indentOf(text, last), false, true);
  }
  const isCase = node.type === "SwitchCase" || above?.node.type === "SwitchCase";
  if (isCase && last && !WAY_OUT.test(last.type)) {
    put(last.end, last.end, " break;", "insertion", 0.5);
  }
}

function insertAt(request: RuleRequest, at: number, indent: string, isFirst: boolean, isLast = false): void {
  const { put, text, isSuspicious } = request;
  if (!isSuspicious(at)) return;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  for (const [statement, prior] of listStatements(request, isFirst, isLast)) {
    put(at, at, `${indent}${statement}${newline}`, "insertion", prior);
  }
}

/** Statements that may be missing, each with its weight. */
function listStatements(request: RuleRequest, isFirst: boolean, isLast: boolean): [string, number][] {
  const { node, above, owner, parts } = request;
  const found = new Map<string, number>();
  const add = (text: string, prior: number) => found.set(text, Math.max(prior, found.get(text) ?? 0));
  const names = owner.names.slice(0, 10);
  for (const statement of owner.statements) add(`${statement};`, 0.1);
  // What other functions of the file do comes after what this one does.
  for (const statement of parts.statements) add(`${statement};`, 0.04);
  for (const one of names) {
    if (owner.numbers.has(one)) for (const form of ["%++;", "%--;"]) add(form.replace("%", one), 0.07);
    for (const other of names) {
      if (one === other) continue;
      if (owner.lists.has(one)) add(`${one}.push(${other});`, 0.09);
      if (owner.sets.has(one)) add(`${one}.add(${other});`, 0.09);
      if (!owner.lists.has(one) && !owner.sets.has(one) && owner.targets.includes(one)) add(`${one} = ${other};`, 0.05);
    }
  }
  if (isLast && FUNCTIONS.has(above?.node.type ?? "")) for (const name of names) add(`return ${name};`, 0.2);
  for (let at = above; at && !FUNCTIONS.has(at.node.type); at = at.above) {
    if (!LOOPS.has(at.node.type)) continue;
    add("break;", isLast ? 0.14 : 0.08);
    add("continue;", isLast ? 0.14 : 0.05);
  }
  addScriptIdioms(add, request);
  addGuards(add, { node, owner, parts }, isFirst);
  return [...found].sort((a, b) => b[1] - a[1]).slice(0, 150);
}

function addGuards(
  add: (text: string, prior: number) => void,
  { owner, parts }: Pick<RuleRequest, "node" | "owner" | "parts">,
  isFirst: boolean,
): void {
  const returns = owner.returns.slice(0, 4).map((text) => `return ${text};`);
  const usual = ["return null;", "return [];", "return 0;", "return false;", "return true;", 'return "";', "return;"];
  const leaves = isFirst
    ? [...returns, ...usual, ...owner.params.slice(0, 2).map((name) => `return ${name};`)]
    : returns;
  const conditions: [string, number][] = owner.conditions.slice(0, 6).map((text) => [text, 0.06]);
  for (const name of (isFirst ? owner.params : owner.names).slice(0, 5)) {
    conditions.push([`!${name}`, 0.09], [`${name}.length === 0`, 0.06], [`${name} === 0`, 0.05], [`${name} < 0`, 0.05]);
    conditions.push([`${name} == null`, 0.06], [`${name} <= 1`, 0.03]);
  }
  for (const property of (parts.properties.get("this") ?? []).slice(0, 4)) {
    if (!parts.methods.has(property))
      conditions.push([`!this.${property}`, 0.05], [`this.${property}.length === 0`, 0.04]);
  }
  for (const [condition, prior] of conditions) {
    for (const leave of new Set(leaves)) {
      const isKnown = returns.includes(leave);
      add(`if (${condition}) ${leave}`, prior * (isKnown ? 1.2 : 0.7) * (isFirst ? 0.6 : 0.4));
    }
  }
}

/** The last statement of a block goes behind the block. */
function moveOut({ node, above, text, put }: RuleRequest, statement: SyntaxNode): void {
  const owner = above?.node;
  if (!owner || FUNCTIONS.has(owner.type) || node.type !== "BlockStatement") return;
  const [start, end] = linesOf(text, statement);
  const behind = linesOf(text, owner)[1];
  const moved = indentOf(text, owner) + text.slice(start, end).trimStart();
  if (behind > end) put(start, behind, text.slice(end, behind) + moved, "indentation", 0.35);
}

/** A statement behind a block becomes its last one. */
function moveIn({ text, put }: RuleRequest, before: SyntaxNode, statement: SyntaxNode): void {
  const block = isNode(before.body) ? before.body : isNode(before.consequent) ? before.consequent : null;
  if (block?.type !== "BlockStatement" || before.alternate) return;
  const [start, end] = linesOf(text, statement);
  const closing = block.end - 1;
  const line = text.lastIndexOf("\n", closing) + 1;
  if (text.slice(line, closing).trim() !== "" || end <= block.end) return;
  const moved = `${indentOf(text, statement)}  ${text.slice(start, end).trimStart()}`;
  put(line, end, moved + text.slice(line, start), "indentation", 0.35);
}

/** From the beginning of the first line to the end of the last one; the statement alone where it shares its lines. */
function linesOf(text: string, { start, end }: SyntaxNode): [number, number] {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const after = text.indexOf("\n", end);
  const last = after < 0 ? text.length : after + 1;
  const isAlone = text.slice(first, start).trim() === "" && /^\s*(\/\/.*)?$/.test(text.slice(end, last));
  return isAlone ? [first, last] : [start, end];
}

function indentOf(text: string, { start }: SyntaxNode): string {
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return /^\s*/.exec(line)?.[0] ?? "";
}
