import type { SyntaxNode } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import { changeExact } from "./change-exact.ts";
import { makeFalse, makeTrue } from "./conditions.ts";
import { changeFirst, changeLiteral } from "./literals.ts";
import {
  argumentsOf,
  child,
  type EditedScript,
  isMember,
  nameOf,
  replace,
  surround,
  textOf,
  wrapValue,
} from "./nodes.ts";

const EQUALS = new Set([
  ...[
    "equal",
    "equals",
    "strictEqual",
    "deepEqual",
    "deepStrictEqual",
    "partialDeepStrictEqual",
    "looseEqual",
    "is",
    "same",
  ],
  ...[
    "strictSame",
    "deepEquals",
    "eq",
    "deepLooseEqual",
    "propEqual",
    "sameMembers",
    "sameDeepMembers",
    "like",
    "lengthOf",
  ],
]);
/** The order of a list matters to them, and every value in it. */
const EXACT = /^(equals?|strictEqual|deepEquals?|deepStrictEqual|is|same|strictSame|eq)$/;
/** They allow for a tolerance. */
const CLOSE = /^(closeTo|approximately|almostEqual)$/;
const PARTS = new Set(["include", "deepInclude", "has", "hasStrict"]);
const HOLDS = new Set(["ok", "isOk", "assert", "true", "truthy", "isTrue", "exists"]);
const DOES_NOT_HOLD = new Set(["notOk", "isNotOk", "false", "falsy", "isFalse"]);
const KINDS = new Set([
  "isNull",
  "isUndefined",
  "isArray",
  "isObject",
  "isString",
  "isNumber",
  "isFunction",
  "instanceOf",
  "type",
]);
const OPPOSITES: Record<string, string> = {
  notEqual: "equal",
  notStrictEqual: "strictEqual",
  notDeepEqual: "deepEqual",
  notDeepStrictEqual: "deepStrictEqual",
  not: "is",
  notSame: "same",
  throws: "doesNotThrow",
  doesNotThrow: "throws",
  rejects: "doesNotReject",
  doesNotReject: "rejects",
  match: "doesNotMatch",
  doesNotMatch: "match",
  throwsAsync: "notThrowsAsync",
  notThrows: "throws",
  notThrowsAsync: "throwsAsync",
  isNotNull: "isNull",
  isDefined: "isUndefined",
  notInclude: "include",
};
/** What a function can't accept. */
const NEVER: Record<string, string> = {
  throws: "() => {}",
  rejects: "Promise.resolve()",
  doesNotThrow: "() => { throw new Error(); }",
  doesNotReject: "Promise.reject(new Error())",
  match: "/(?!)/",
  doesNotMatch: "/(?:)/",
};
/** Names that no other object has: whatever they are called on asserts. */
const DISTINCT = /^(not)?(strictEqual|deepEqual|deepStrictEqual)$/i;
const ASSERTER = /^(assert|strict|t|tt|st|ctx|tap|test|qunit)$/i;

/** Spoils calls of node:assert, of Chai's assert and of what tap, tape, AVA and QUnit hand to a test. */
export function spoilAssertCall(script: EditedScript, call: SyntaxNode): Splice[] | null {
  const callee = child(call, "callee");
  const name = nameOf(callee);
  const values = argumentsOf(call);
  const [first, second] = values;
  if (!callee || !first || !isAsserting(script, callee, name)) return null;
  if (!isMember(callee) && (name === "assert" || script.modules.has(name))) return makeFalse(script, first);
  if (HOLDS.has(name)) return makeFalse(script, first);
  if (DOES_NOT_HOLD.has(name)) return makeTrue(script, first);
  if (KINDS.has(name)) return surround(first, "[", ", null]");
  if (EXACT.test(name) && second) {
    return changeExact(script, second) ?? changeExact(script, first) ?? wrapValue(script, second);
  }
  if (EQUALS.has(name) && second) return changeFirst(script, [second, first]) ?? wrapValue(script, second);
  if (CLOSE.test(name) && second) return changeLiteral(script, second, true) ?? surround(second, "(", ") * 3 + 7");
  if (PARTS.has(name) && second) return changeLiteral(script, second, true) ?? wrapValue(script, second);
  return spoilOpposite(script, callee, name, values);
}

/** Whether a call is one of an assertion function, whatever it is given. */
export function isAssertCall(script: EditedScript, call: SyntaxNode): boolean {
  const callee = child(call, "callee");
  return callee !== null && isAsserting(script, callee, nameOf(callee));
}

function isAsserting(script: EditedScript, callee: SyntaxNode, name: string): boolean {
  if (!isMember(callee)) return name === "assert" || script.functions.has(name) || script.modules.has(name);
  const object = nameOf(child(callee, "object"));
  return DISTINCT.test(name) || ASSERTER.test(object) || script.modules.has(object);
}

function spoilOpposite(
  script: EditedScript,
  callee: SyntaxNode,
  name: string,
  values: readonly SyntaxNode[],
): Splice[] | null {
  const opposite = Object.hasOwn(OPPOSITES, name) && OPPOSITES[name];
  const [first, second] = values;
  if (!opposite || !first) return null;
  const property = isMember(callee) ? child(callee, "property") : null;
  if (property) {
    const isAva = script.modules.has("ava") && name === "throws";
    return replace(property, isAva ? "notThrows" : opposite);
  }
  // A function by itself: its opposite may not have been imported.
  if (NEVER[name]) return replace(name.toLowerCase().endsWith("match") ? (second ?? first) : first, NEVER[name]);
  return second ? replace(second, textOf(script, first)) : null;
}
