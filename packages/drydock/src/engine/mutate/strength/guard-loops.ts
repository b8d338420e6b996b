import { isNode, parseScript, walkNodes } from "../parse-script.ts";
import { applySplices, type Splice } from "../splice.ts";

const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
/** The driver counts; elsewhere it does nothing. */
const TURN = "globalThis.__drydockTurn?.();";

export interface GuardedText {
  text: string;
  /** Where an edit of the text without guards is in the one with them. */
  place(edit: Pick<Splice, "start" | "end">): { start: number; end: number };
}

/** A script in which each loop says when it goes round: a mutant that never ends is known by that, long before its time is over. */
export function guardLoops(path: string, text: string): GuardedText | null {
  const program = parseScript(path, text);
  if (!program) return null;
  const guards: Splice[] = [];
  const insert = (at: number, replacement: string) => guards.push({ start: at, end: at, replacement });
  for (const { node } of walkNodes(program)) {
    const { body } = node;
    if (!LOOPS.has(node.type) || !isNode(body)) continue;
    if (body.type === "BlockStatement") {
      insert(body.start + 1, TURN);
    } else {
      insert(body.start, `{${TURN}`);
      insert(body.end, "}");
    }
  }
  if (guards.length === 0) return null;
  const lengthBefore = (isBefore: (at: number) => boolean) =>
    guards.reduce((sum, { start, replacement }) => sum + (isBefore(start) ? replacement.length : 0), 0);
  return {
    text: applySplices(text, guards),
    place({ start, end }) {
      const from = start + lengthBefore((at) => at <= start);
      return { start: from, end: Math.max(from, end + lengthBefore((at) => at < end)) };
    },
  };
}
