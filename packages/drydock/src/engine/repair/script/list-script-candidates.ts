import { childrenOf, isNode, parseScript, type SyntaxNode, type Visit } from "../../source/parse-script.ts";
import type { Hints, ListedEdit, WeightedFile } from "../workshop.ts";
import { editScriptExpression } from "./expression-rules.ts";
import { editScriptIdiom } from "./idiom-rules.ts";
import { mendScript } from "./mend-script.ts";
import type { RuleRequest } from "./rule-request.ts";
import { readParts } from "./script-scope.ts";
import { editScriptStatement } from "./statement-rules.ts";

const LOOSE =
  /^(Binary|Logical|Assignment|Conditional|Unary|Update|Yield|Await|ArrowFunction|Sequence|TSAs|TSSatisfies)Expression$/;
const SKIPPED = /^(Import|ExportAll|TypeAnnotation|TypeAlias|Interface|Opaque|Declare|Decorator)/;
/** Text of an expression that holds together beside any operator. */
const TIGHT = /^!?[\w$.]+(\([^()]*\)|\[[^[\]]*\])?$|^"[^"]*"$|^'[^']*'$|^\[[^[\]]*\]$/;

/** Candidates of JavaScript and TypeScript files, likeliest first. */
export function listScriptCandidates(
  files: readonly WeightedFile[],
  hints: Hints,
  seed: number,
  limit: number,
): ListedEdit[] {
  const listed = files.flatMap((file) => listFile(file, hints));
  return listed
    .map((edit, index) => ({ edit, rank: edit.score * (1 + 0.02 * draw(seed, index)) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ edit, rank }) => ({ ...edit, score: rank }));
}

function listFile({ path, text, weights }: WeightedFile, hints: Hints): ListedEdit[] {
  const root = parseScript(path, text);
  if (!root) return mendScript(path, text);
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r]/g)) starts.push(index + end.length);
  const weighted = [...weights.keys()].filter((line) => (weights.get(line) ?? 0) > 0);
  const parts = readParts(root, text);
  const edits = new Map<string, ListedEdit>();
  const slice = (node: SyntaxNode) => text.slice(node.start, node.end);
  const stack: Visit[] = [{ node: root, above: null }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { node, above } = visit;
    if (SKIPPED.test(node.type) || (node.type.startsWith("TS") && !/Expression$|ParameterProperty/.test(node.type)))
      continue;
    if (above && !hasWeight(node)) continue;
    const near = Math.max(weightAt(node), statementWeight(visit));
    const put: RuleRequest["put"] = (start, end, replacement, kind, prior) => {
      const line = lineAt(starts, start);
      const weight = Math.max(near, weights.get(line) ?? 0);
      if (weight === 0 || text.slice(start, end) === replacement) return;
      const key = `${start} ${end} ${replacement}`;
      const score = weight * prior;
      if ((edits.get(key)?.score ?? 0) < score) edits.set(key, { path, start, end, replacement, line, kind, score });
    };
    const request: RuleRequest = {
      ...{ text, node, above, parts, hints, slice, put, owner: parts.ownerOf(visit) },
      whole: (each) => (LOOSE.test(each.type) ? `(${slice(each)})` : slice(each)),
      replace: (each, replacement, kind, prior) => {
        const parent = each === node ? above?.node : node;
        const isInside = parent !== undefined && needsBrackets(parent, each);
        const shown = isInside && !TIGHT.test(replacement) ? `(${replacement})` : replacement;
        put(each.start, each.end, shown, kind, prior);
      },
    };
    editScriptExpression(request);
    editScriptStatement(request);
    editScriptIdiom(request);
    for (const child of childrenOf(node)) stack.push({ node: child, above: visit });
  }
  return [...edits.values()];

  function hasWeight({ start, end }: SyntaxNode): boolean {
    const [first, last] = [lineAt(starts, start), lineAt(starts, end)];
    return weighted.some((line) => first <= line && line <= last);
  }

  function weightAt(node: SyntaxNode): number {
    return node.type === "Program" || node.type === "BlockStatement"
      ? 0
      : (weights.get(lineAt(starts, node.start)) ?? 0);
  }

  /** Coverage counts a statement by its first line. */
  function statementWeight(visit: Visit): number {
    for (let at: Visit | null = visit; at; at = at.above) {
      if (/Statement$|Declaration$/.test(at.node.type)) return weightAt(at.node);
    }
    return 0;
  }
}

function needsBrackets(parent: SyntaxNode, node: SyntaxNode): boolean {
  if (parent.object === node || parent.callee === node) return true;
  return /^(Binary|Logical|Unary|Await|Spread)/.test(parent.type) && (isNode(parent.left) || isNode(parent.argument));
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** A number below 1 that depends on nothing but the seed and the position. */
function draw(seed: number, index: number): number {
  let state = (Math.imul(seed, 1664525) ^ Math.imul(index + 1, 2654435761)) >>> 0;
  state = Math.imul(state ^ (state >>> 15), 2246822519) >>> 0;
  return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
}
