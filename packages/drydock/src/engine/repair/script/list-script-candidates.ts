import { setImmediate } from "node:timers/promises";
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

/** Lines that are looked at, the most suspicious of all files. */
const MAX_LINES = 3000;
/** Edits that the rules propose, likely or not. Files are untrusted, and a single line may have a million places to edit. */
const MAX_PROPOSED = 200_000;
/** Of these, at one node: a block has its insertions, and must leave room for what is in it. */
const MAX_AT_NODE = 20_000;
/** Nothing else happens in this process while edits are listed: it has its turn after so long. */
const TURN_MS = 25;

/** Thrown by the proposal after a node's last. */
class Enough extends Error {}

/** Candidates of JavaScript and TypeScript files, likeliest first. */
export async function listScriptCandidates(
  files: readonly WeightedFile[],
  hints: Hints,
  seed: number,
  limit: number,
): Promise<ListedEdit[]> {
  const budget = { left: MAX_PROPOSED };
  const listed: ListedEdit[] = [];
  let since = performance.now();
  for (const file of chooseLines(files)) {
    const listing = listFile(file, hints, budget);
    for (let step = listing.next(); ; step = listing.next()) {
      if (step.done) {
        for (const edit of step.value) listed.push(edit);
        break;
      }
      if (performance.now() - since < TURN_MS) continue;
      await setImmediate();
      since = performance.now();
    }
  }
  return listed
    .map((edit, index) => ({ edit, rank: edit.score * (1 + 0.02 * draw(seed, index)) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ edit, rank }) => ({ ...edit, score: rank }));
}

/** Files with the most suspicious of their lines, where there are too many. */
function chooseLines(files: readonly WeightedFile[]): WeightedFile[] {
  const lines = files.flatMap(({ weights }, file) =>
    [...weights].filter(([, weight]) => weight > 0).map(([line, weight]) => ({ file, line, weight })),
  );
  lines.sort((a, b) => b.weight - a.weight);
  const chosen = Map.groupBy(lines.slice(0, MAX_LINES), ({ file }) => file);
  return files.flatMap((file, number) => {
    const kept = chosen.get(number);
    return kept ? [{ ...file, weights: new Map(kept.map(({ line, weight }) => [line, weight])) }] : [];
  });
}

/** Yields between one node and the next. */
function* listFile(
  { path, text, weights }: WeightedFile,
  hints: Hints,
  budget: { left: number },
): Generator<undefined, ListedEdit[]> {
  const root = parseScript(path, text);
  if (!root) return mendScript(path, text);
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r]/g)) starts.push(index + end.length);
  const weighted = [...weights.keys()].sort((a, b) => a - b);
  const parts = readParts(root, text);
  const edits = new Map<string, ListedEdit>();
  const slice = (node: SyntaxNode) => text.slice(node.start, node.end);
  /** A node, and how suspicious the statement around it is: coverage counts a statement by its first line. */
  const stack: { visit: Visit; statement: number }[] = [{ visit: { node: root, above: null }, statement: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield;
    const { visit, statement } = next;
    const { node, above } = visit;
    if (SKIPPED.test(node.type) || (node.type.startsWith("TS") && !/Expression$|ParameterProperty/.test(node.type)))
      continue;
    if (above && !hasWeight(node)) continue;
    const around = /Statement$|Declaration$/.test(node.type) ? weightAt(node) : statement;
    const near = Math.max(weightAt(node), around);
    const least = Math.max(0, budget.left - MAX_AT_NODE);
    const weigh = (line: number) => Math.max(near, weights.get(line) ?? 0);
    const put: RuleRequest["put"] = (start, end, replacement, kind, prior) => {
      if (budget.left <= least) throw new Enough();
      budget.left -= 1;
      const line = lineAt(starts, start);
      const weight = weigh(line);
      if (weight === 0 || text.slice(start, end) === replacement) return;
      const key = `${start} ${end} ${replacement}`;
      const score = weight * prior;
      if ((edits.get(key)?.score ?? 0) < score) edits.set(key, { path, start, end, replacement, line, kind, score });
    };
    const request: RuleRequest = {
      ...{ text, node, above, parts, hints, slice, put, owner: parts.ownerOf(visit) },
      isSuspicious: (at) => weigh(lineAt(starts, at)) > 0,
      whole: (each) => (LOOSE.test(each.type) ? `(${slice(each)})` : slice(each)),
      replace: (each, replacement, kind, prior) => {
        const parent = each === node ? above?.node : node;
        const isInside = parent !== undefined && needsBrackets(parent, each);
        const shown = isInside && !TIGHT.test(replacement) ? `(${replacement})` : replacement;
        put(each.start, each.end, shown, kind, prior);
      },
    };
    try {
      editScriptExpression(request);
      editScriptStatement(request);
      editScriptIdiom(request);
    } catch (error) {
      if (!(error instanceof Enough)) throw error;
      if (budget.left === 0) break;
    }
    for (const child of childrenOf(node)) stack.push({ visit: { node: child, above: visit }, statement: around });
  }
  return [...edits.values()];

  function hasWeight({ start, end }: SyntaxNode): boolean {
    const [first, last] = [lineAt(starts, start), lineAt(starts, end)];
    // The first weighted line that is not before it.
    let [low, high] = [0, weighted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((weighted[middle] ?? 0) < first) low = middle + 1;
      else high = middle;
    }
    return (weighted[low] ?? Number.POSITIVE_INFINITY) <= last;
  }

  function weightAt(node: SyntaxNode): number {
    return node.type === "Program" || node.type === "BlockStatement"
      ? 0
      : (weights.get(lineAt(starts, node.start)) ?? 0);
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
