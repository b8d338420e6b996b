import type { SyntaxNode } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import { changeExact } from "./change-exact.ts";
import { changeFirst, changeLiteral } from "./literals.ts";
import { argumentsOf, child, type EditedScript, isCall, isMember, nameOf, wrapValue } from "./nodes.ts";

/** `wrap`: where the value is no literal, something else is compared with. `far`: a part of it, or nearly it, will do. `exact`: every value of it must be there, in this order. */
const VALUES: Record<string, { wrap?: boolean; far?: boolean; exact?: boolean }> = {
  toBe: { wrap: true, exact: true },
  toEqual: { wrap: true, exact: true },
  toStrictEqual: { wrap: true, exact: true },
  toMatchObject: { wrap: true },
  toHaveReturnedWith: { wrap: true },
  toContainEqual: { wrap: true, far: true },
  toBeCloseTo: { far: true },
  toHaveLength: {},
  toContain: { far: true },
  toMatch: { far: true },
  toThrow: { far: true },
  toThrowError: { far: true },
  toHaveBeenCalledTimes: {},
  toHaveBeenCalledWith: {},
  toHaveBeenLastCalledWith: {},
  toHaveBeenCalledOnceWith: {},
  toHaveBeenCalledExactlyOnceWith: {},
  toHaveTextContent: { far: true },
  toHaveAttribute: { far: true },
  toMatchInlineSnapshot: {},
  toThrowErrorMatchingInlineSnapshot: {},
  equal: { wrap: true, exact: true },
  equals: { wrap: true, exact: true },
  eq: { wrap: true, exact: true },
  eql: { wrap: true, exact: true },
  eqls: { wrap: true, exact: true },
  include: { far: true },
  includes: { far: true },
  contain: { far: true },
  contains: { far: true },
  string: { far: true },
  closeTo: { far: true },
  lengthOf: {},
  members: {},
  throw: { far: true },
};
/** What is no expectation by itself. */
const LINKS = new Set(["not", "resolves", "rejects", "to", "be", "have", "and", "that", "is", "deep", "soft", "poll"]);

interface Chain {
  /** The member expression whose property is the matcher. */
  matcher: SyntaxNode;
  /** The member expression that ends in `.not`. */
  not: SyntaxNode | null;
}

/** Spoils `expect(value).toBe(5)` of Jest, Vitest and Chai, and `value.should.equal(5)`. */
export function spoilMatcherCall(script: EditedScript, call: SyntaxNode): Splice[] | null {
  const chain = readChain(child(call, "callee"));
  if (!chain) return null;
  if (chain.not) return removeNot(chain.not);
  const name = nameOf(chain.matcher);
  // No runner lets a snapshot be negated: that would fail whatever the answer is.
  if (name.includes("Snapshot") && !name.includes("Inline")) return null;
  const values = argumentsOf(call);
  const first = values[0];
  const rule = Object.hasOwn(VALUES, name) && VALUES[name];
  if (!rule || !first) return insertNot(script, chain);
  const change = () => (rule.exact ? changeExact(script, first) : changeLiteral(script, first, rule.far));
  const edits = name.includes("With") ? changeFirst(script, values) : change();
  return edits ?? (rule.wrap ? wrapValue(script, first) : insertNot(script, chain));
}

/** Spoils `expect(value).to.be.true`, which is no call. */
export function spoilMatcherProperty(script: EditedScript, node: SyntaxNode): Splice[] | null {
  const chain = readChain(node);
  if (!chain || LINKS.has(nameOf(node))) return null;
  return chain.not ? removeNot(chain.not) : insertNot(script, chain);
}

/** Whether a call is one of a matcher: `expect(value).toBe(5)`. */
export function isMatcherCall(call: SyntaxNode): boolean {
  return readChain(child(call, "callee")) !== null;
}

/** The name of the matcher of `expect(value).toBe(5)`; null where it is turned by `.not`. */
export function readMatcher(call: SyntaxNode): SyntaxNode | null {
  const chain = readChain(child(call, "callee"));
  return chain && !chain.not ? child(chain.matcher, "property") : null;
}

/** Of `expect(value).not.toBe(5)`: where `.not` begins, and the name of the matcher. */
export function readNotMatcher(call: SyntaxNode): { start: number; property: SyntaxNode } | null {
  const chain = readChain(child(call, "callee"));
  const [before, property] = [child(chain?.not, "object"), child(chain?.matcher, "property")];
  const isNext = chain?.not && child(chain.matcher, "object") === chain.not;
  return isNext && before && property ? { start: before.end, property } : null;
}

function readChain(matcher: SyntaxNode | null): Chain | null {
  if (!isMember(matcher)) return null;
  let not: SyntaxNode | null = null;
  for (let node = child(matcher, "object"); node; ) {
    if (isCall(node)) {
      const callee: SyntaxNode | null = child(node, "callee");
      const isExpect = nameOf(callee) === "expect" || nameOf(child(callee, "object")) === "expect";
      return isExpect ? { matcher, not } : null;
    }
    if (!isMember(node)) return null;
    if (nameOf(node) === "should") return { matcher, not };
    if (nameOf(node) === "not") not = node;
    if (!LINKS.has(nameOf(node))) return null;
    node = child(node, "object");
  }
  return null;
}

function removeNot(not: SyntaxNode): Splice[] {
  const before = child(not, "object");
  return before ? [{ start: before.end, end: not.end, replacement: "" }] : [];
}

function insertNot(script: EditedScript, { matcher }: Chain): Splice[] | null {
  const property = child(matcher, "property");
  if (!property || matcher.computed || script.text[property.start - 1] !== ".") return null;
  return [{ start: property.start, end: property.start, replacement: "not." }];
}
