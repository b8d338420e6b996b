import { isNode, parseScript, walkNodes } from "./parse-script.ts";
import { applySplices, type Splice } from "./splice.ts";

const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
/** The driver counts; elsewhere it does nothing. */
const TURN = "globalThis.__drydockTurn?.();";

interface Guard extends Splice {
  /** Where the brace that it closes was opened; its own place where it closes none. */
  opened: number;
}

export interface GuardedText {
  text: string;
  /** Where an edit of the text without guards is in the one with them. */
  place(edit: Pick<Splice, "start" | "end">): { start: number; end: number };
}

/** A script in which each loop says when it goes round: a mutant that never ends is known by that, long before its time is over. */
export function guardLoops(path: string, text: string): GuardedText | null {
  const program = parseScript(path, text);
  if (!program) return null;
  const guards: Guard[] = [];
  const insert = (at: number, replacement: string, opened = at) =>
    guards.push({ start: at, end: at, replacement, opened });
  for (const { node } of walkNodes(program)) {
    const { body } = node;
    if (!LOOPS.has(node.type) || !isNode(body)) continue;
    if (body.type === "BlockStatement") {
      insert(body.start + 1, TURN);
    } else {
      insert(body.start, `{${TURN}`);
      insert(body.end, "}", body.start);
    }
  }
  if (guards.length === 0) return null;
  const lengthOf = (isCounted: (guard: Guard) => boolean) =>
    guards.reduce((sum, guard) => sum + (isCounted(guard) ? guard.replacement.length : 0), 0);
  return {
    text: applySplices(text, guards),
    place({ start, end }) {
      const from = start + lengthOf((guard) => guard.start <= start);
      // A loop that ends with the edit closes its braces there: they go with it where they were opened within it.
      const isInside = (guard: Guard) =>
        guard.start < end || (guard.start === end && guard.opened > start && guard.opened < end);
      return { start: from, end: Math.max(from, end + lengthOf(isInside)) };
    },
  };
}
