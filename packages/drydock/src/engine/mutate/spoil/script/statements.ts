import { type SyntaxNode, walkNodes } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import type { TestSpan } from "../expectation.ts";
import { spoilAssertCall } from "./assert-calls.ts";
import { makeFalse, makeTrue, negate } from "./conditions.ts";
import { spoilMatcherCall, spoilMatcherProperty } from "./expect-chains.ts";
import { changeFirst, changeLiteral } from "./literals.ts";
import { argumentsOf, child, children, type EditedScript, isCall, isMember, nameOf, textOf } from "./nodes.ts";

/** Groups of edits, each of which makes one expectation wrong. */
export function findGroups(script: EditedScript, program: SyntaxNode): Splice[][] {
  const found: (Splice[] | null)[] = [];
  // Used only where nothing else is found: with both, one would undo the other.
  const values: (Splice[] | null)[] = [];
  const endings: (Splice[] | null)[] = [];
  const exits = /\bprocess\.exit(Code)?\b/.test(script.text);
  for (const { node } of walkNodes(program)) {
    if (isCall(node))
      found.push(spoilMatcherCall(script, node) ?? spoilAssertCall(script, node) ?? spoilRequest(script, node));
    if (node.type === "ExpressionStatement" && isMember(child(node, "expression"))) {
      const expression = child(node, "expression");
      if (expression) found.push(spoilMatcherProperty(script, expression));
    }
    if (node.type === "IfStatement") {
      const edits = spoilBranch(script, node, exits);
      (endsScript(script, node) && isPlainName(child(node, "test")) ? endings : found).push(edits);
    }
    if (node.type === "BinaryExpression" && /^[!=]==?$/.test(String(node.operator))) {
      values.push(changeFirst(script, [child(node, "right"), child(node, "left")]));
    }
    if (exits) endings.push(spoilEnding(script, node));
  }
  for (const groups of [found, values, endings]) {
    const some = groups.filter((group) => group !== null && group.length > 0) as Splice[][];
    if (some.length > 0) return some;
  }
  return [];
}

/** `same(add(2, 3), 5)`: a function of the project that gets a result and the expected value. */
export function findHelperGroups(script: EditedScript, program: SyntaxNode, tests: readonly TestSpan[]): Splice[][] {
  if (tests.length === 0) return [];
  return [...walkNodes(program)].flatMap(({ node }) => {
    const value = node.type === "ExpressionStatement" ? child(node, "expression") : node;
    const call = value?.type === "AwaitExpression" ? child(value, "argument") : value;
    const isStatement = node.type === "ExpressionStatement" || node.type === "ArrowFunctionExpression";
    const subject = node.type === "ArrowFunctionExpression" ? child(node, "body") : call;
    if (!isStatement || !isCall(subject)) return [];
    if (!tests.some(({ start, end }) => start < subject.start && subject.end < end)) return [];
    const values = argumentsOf(subject);
    if (values.length < 2 || !values.some(isCall)) return [];
    const edits = changeFirst(script, values.filter((each) => !isCall(each)).toReversed());
    return edits ? [edits] : [];
  });
}

/** `request(app).get("/").expect(200)` */
function spoilRequest(script: EditedScript, call: SyntaxNode): Splice[] | null {
  const callee = child(call, "callee");
  if (!isMember(callee) || nameOf(callee) !== "expect" || !isCall(child(callee, "object"))) return null;
  const values = argumentsOf(call);
  return changeLiteral(
    script,
    (values.length > 1 && values[0]?.type === "StringLiteral" ? values[1] : values[0]) ?? null,
  );
}

function spoilBranch(script: EditedScript, node: SyntaxNode, exits: boolean): Splice[] | null {
  const isFailure = (statement: SyntaxNode) => fails(script, statement) || (exits && counts(statement));
  if (statementsOf(child(node, "consequent")).some(isFailure)) return makeTrue(script, child(node, "test"));
  if (statementsOf(child(node, "alternate")).some(isFailure)) return makeFalse(script, child(node, "test"));
  return null;
}

/** `if (failures) process.exit(1)`: it repeats what was found out before. */
function endsScript(script: EditedScript, node: SyntaxNode): boolean {
  const statements = [...statementsOf(child(node, "consequent")), ...statementsOf(child(node, "alternate"))];
  return statements.some((statement) => /\bprocess\.exit(Code)?\b/.test(textOf(script, statement)));
}

function statementsOf(node: SyntaxNode | null): SyntaxNode[] {
  return node?.type === "BlockStatement" ? children(node, "body") : node ? [node] : [];
}

/** Whether a statement ends a check as failed. */
function fails(script: EditedScript, statement: SyntaxNode): boolean {
  if (statement.type === "ThrowStatement") return true;
  const expression = statement.type === "ExpressionStatement" ? child(statement, "expression") : null;
  if (isCall(expression)) {
    const callee = textOf(script, child(expression, "callee"));
    const [status] = argumentsOf(expression);
    if (callee === "process.exit") return status !== undefined && textOf(script, status) !== "0";
    return /(^|\.)fail$/.test(callee);
  }
  if (expression?.type !== "AssignmentExpression") return false;
  return (
    textOf(script, child(expression, "left")) === "process.exitCode" &&
    textOf(script, child(expression, "right")) !== "0"
  );
}

/** Whether a statement notes a failure for later: `failures += 1`, `errors.push(…)`, `ok = false`. */
function counts(statement: SyntaxNode): boolean {
  const expression = statement.type === "ExpressionStatement" ? child(statement, "expression") : null;
  if (expression?.type === "UpdateExpression") return true;
  if (expression?.type === "AssignmentExpression") return /Literal$/.test(child(expression, "right")?.type ?? "");
  return isCall(expression) && nameOf(child(expression, "callee")) === "push";
}

/** `process.exit(failures ? 1 : 0)`, `process.exitCode = ok ? 0 : 1` */
function spoilEnding(script: EditedScript, node: SyntaxNode): Splice[] | null {
  const isExit = isCall(node) && textOf(script, child(node, "callee")) === "process.exit";
  const isStatus = node.type === "AssignmentExpression" && textOf(script, child(node, "left")) === "process.exitCode";
  const status = isExit ? argumentsOf(node)[0] : isStatus ? child(node, "right") : null;
  const test = status?.type === "ConditionalExpression" ? child(status, "test") : null;
  return test && isPlainName(test) ? negate(script, test) : null;
}

/** A condition that only repeats what was found out before: `failures`, `!ok`, `failures.length > 0`. */
function isPlainName(node: SyntaxNode | null): boolean {
  if (!node) return false;
  const plain = /^(Identifier|MemberExpression|UnaryExpression|BinaryExpression|LogicalExpression|NumericLiteral)$/;
  return [...walkNodes(node)].every(({ node: part }) => plain.test(part.type));
}
