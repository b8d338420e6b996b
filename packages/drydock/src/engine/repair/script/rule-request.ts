import type { SyntaxNode, Visit } from "../../source/parse-script.ts";
import type { Hints } from "../workshop.ts";
import type { FunctionParts, ScriptParts } from "./script-scope.ts";

/** One node, and what a rule needs to list edits at it. */
export interface RuleRequest {
  text: string;
  node: SyntaxNode;
  above: Visit | null;
  /** What the function around it offers. */
  owner: FunctionParts;
  parts: ScriptParts;
  hints: Hints;
  slice(node: SyntaxNode): string;
  /** The text of a node, in brackets where it would fall apart beside an operator. */
  whole(node: SyntaxNode): string;
  /** Whether an edit that begins there can be of use. */
  isSuspicious(at: number): boolean;
  put(start: number, end: number, replacement: string, kind: string, prior: number): void;
  /** Puts a text in the place of a node, in brackets where it needs them there. */
  replace(node: SyntaxNode, replacement: string, kind: string, prior: number): void;
}

const IDLE: Readonly<Record<string, number>> = { "+": 0, "-": 0, "<<": 0, ">>": 0, "|": 0, "*": 1, "/": 1, "**": 1 };

/** Whether an operation with this number on its right changes nothing. */
export function isIdle(operator: string, value: unknown): boolean {
  return IDLE[operator] === value;
}

/** How much two names look like each other, 0 to 1. */
export function likeness(left: string, right: string): number {
  const pairs = (word: string) => {
    const found = new Set<string>();
    for (let at = 0; at + 1 < word.length; at++) found.add(word.slice(at, at + 2).toLowerCase());
    return found.size > 0 ? found : new Set([word.toLowerCase()]);
  };
  const [one, other] = [pairs(left), pairs(right)];
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
}

/** One more, one less. */
export function shift({ node, replace, whole }: Pick<RuleRequest, "node" | "replace" | "whole">, prior: number): void {
  replace(node, `${whole(node)} + 1`, "shift", prior);
  replace(node, `${whole(node)} - 1`, "shift", prior);
}
