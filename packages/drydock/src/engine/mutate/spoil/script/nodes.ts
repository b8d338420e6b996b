import { isNode, type SyntaxNode } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import type { Expectation } from "../expectation.ts";

/** The script that is edited, and what its imports say about names in it. */
export interface EditedScript {
  text: string;
  /** Names that stand for an assertion module, or for one of its functions. */
  modules: ReadonlySet<string>;
  functions: ReadonlySet<string>;
  /** Whether snapshots are kept in a file that is spoiled as well. */
  snapshots: boolean;
  /** The seed of values that must not be predictable. */
  salt: string;
  /** Whether a parameter without a type may be an error. */
  isTyped: boolean;
  /** Of a group of edits: others that make the same expectation wrong, or nearly so. */
  further: Map<Splice[], Pick<Expectation, "others" | "near">>;
}

export function child(node: SyntaxNode | null | undefined, key: string): SyntaxNode | null {
  const value = node?.[key];
  return isNode(value) ? value : null;
}

export function children(node: SyntaxNode | null | undefined, key: string): SyntaxNode[] {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A call's arguments; none where some of them are spread. */
export function argumentsOf(call: SyntaxNode): SyntaxNode[] {
  const found = children(call, "arguments");
  return found.some(({ type }) => type === "SpreadElement") ? [] : found;
}

/** The name of an identifier, or of the last part of a member expression. */
export function nameOf(node: SyntaxNode | null): string {
  if (node?.type === "Identifier") return String(node.name);
  return isMember(node) && !node.computed ? nameOf(child(node, "property")) : "";
}

type Member = SyntaxNode & { type: "MemberExpression" | "OptionalMemberExpression" };
type Call = SyntaxNode & { type: "CallExpression" | "OptionalCallExpression" };

export function isMember(node: SyntaxNode | null | undefined): node is Member {
  return node?.type === "MemberExpression" || node?.type === "OptionalMemberExpression";
}

export function isCall(node: SyntaxNode | null | undefined): node is Call {
  return node?.type === "CallExpression" || node?.type === "OptionalCallExpression";
}

export function textOf({ text }: EditedScript, node: SyntaxNode | null): string {
  return node ? text.slice(node.start, node.end) : "";
}

export function replace(node: SyntaxNode, replacement: string): Splice[] {
  return [{ start: node.start, end: node.end, replacement }];
}

export function surround(node: SyntaxNode, before: string, after: string): Splice[] {
  return [
    { start: node.start, end: node.start, replacement: before },
    { start: node.end, end: node.end, replacement: after },
  ];
}

/**
 * Another value of the same kind, whatever it is: an object that equals "everything but what a control uses" finds nothing
 * to tell it by. Nested values are changed inside.
 */
export function wrapValue({ isTyped }: EditedScript, node: SyntaxNode): Splice[] {
  const any = isTyped ? ": any" : "";
  const other = [
    `(function f(v${any})${any} { return typeof v === "number" ? (!Number.isFinite(v) ? 0 : v + (v % 1 ? 0.001 * Math.max(Math.abs(v), 1) : 1))`,
    'typeof v === "string" ? v + "s"',
    'typeof v === "boolean" ? !v',
    'typeof v === "bigint" ? v + BigInt(1)',
    "Array.isArray(v) ? [...v.slice(0, -1), f(v.at(-1))]",
    'v && Object.getPrototypeOf(v) === Object.prototype ? { ...v, [Object.keys(v).at(-1) ?? "s"]: f(Object.values(v).at(-1)) }',
    "[v, null]; })(",
  ].join(" : ");
  return surround(node, other, ")");
}
