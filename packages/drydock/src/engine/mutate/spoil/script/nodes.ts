import { isNode, type SyntaxNode } from "../../parse-script.ts";
import type { Splice } from "../../splice.ts";

/** The script that is edited, and what its imports say about names in it. */
export interface Script {
  text: string;
  /** Names that stand for an assertion module, or for one of its functions. */
  modules: ReadonlySet<string>;
  functions: ReadonlySet<string>;
  /** Whether snapshots are kept in a file that is spoiled as well. */
  snapshots: boolean;
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

export function textOf({ text }: Script, node: SyntaxNode | null): string {
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

/** Something else than the value, of another kind. */
export function wrapValue(node: SyntaxNode): Splice[] {
  return surround(node, "[", ", null]");
}
