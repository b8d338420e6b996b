import type { Function as FunctionNode, SyntaxNode } from "unbash";
import { cutText } from "../../base/text/index.ts";
import type { CommandWord } from "../rules/command-rules.ts";
import { isBuiltin } from "./shell-builtins.ts";

/** Functions that certainly exist at a place in the script, with every body they may have there. */
export type Scope = ReadonlyMap<string, readonly Definition[]>;

export interface Definition {
  node: FunctionNode;
  /** Where it is defined, so that what is said about its body names the right line. */
  place: ScriptPosition;
}

export interface ScriptPosition {
  scope: Scope;
  /** The text that positions of nodes count in. */
  source: string;
  /** Set where that text is not the script itself: everything in it counts as being on this line. */
  line?: number;
  /** Within double quotes or the body of a here-document. */
  isQuoted?: boolean;
  /** How many texts within texts (`eval`, `trap`) lead here. */
  depth: number;
}

export class Refusal extends Error {
  readonly command: string;
  readonly line: number;
  /** The entry of the list of what is denied, where one is the reason. */
  readonly rule: string | undefined;

  constructor(command: string, line: number, reason: string, rule?: string) {
    super(reason);
    this.rule = rule;
    this.command = cutText(command, 200);
    this.line = line;
  }
}

/** In POSIX mode bash refuses other names, and finds special builtins before functions. */
export function isPlainFunction(node: FunctionNode): boolean {
  return /^[A-Za-z_]\w*$/.test(node.name.text) && !isBuiltin(node.name.text);
}

export function addFunction(scope: Scope, node: FunctionNode, place: ScriptPosition): Scope {
  const name = node.name.text;
  if (!isPlainFunction(node)) return scope;
  return new Map(scope).set(name, [...(scope.get(name) ?? []), { node, place }]);
}

export function nestedPosition(text: string, at: SyntaxNode, place: ScriptPosition): ScriptPosition {
  return { scope: place.scope, source: text, line: lineAt(place, at.pos), depth: place.depth + 1 };
}

export function lineAt(place: ScriptPosition, pos: number): number {
  if (place.line !== undefined) return place.line;
  let line = 1;
  for (let at = place.source.indexOf("\n"); at >= 0 && at < pos; at = place.source.indexOf("\n", at + 1)) line++;
  return line;
}

export function refuse(
  place: ScriptPosition,
  at: { pos: number; end: number },
  reason: string,
  argv?: readonly CommandWord[],
  rule?: string,
): never {
  const literal = argv?.slice(0, argv.indexOf(null) < 0 ? undefined : argv.indexOf(null));
  const command = literal && literal.length > 0 ? literal.join(" ") : place.source.slice(at.pos, at.end);
  throw new Refusal(command, lineAt(place, at.pos), reason, rule);
}
