import { isScript, parseScript, type Visit, walkNodes } from "../../source/parse-script.ts";
import type { RunPython } from "../../source/run-python.ts";
import type { Splice } from "../../source/splice.ts";
import type { Expectation, Spoiled, TestFile } from "./expectation.ts";
import { EXPORTS } from "./python/exports.ts";
import { TEXT } from "./python/text.ts";
import { child, isCall, nameOf, surround } from "./script/nodes.ts";
import { spoilFile } from "./spoil-expectations.ts";
import { keepSound } from "./spoil-script.ts";

const SPOIL_EXPORTS = `${TEXT}${EXPORTS}
edit_files(spoil_returns)
`;
/** What was true becomes false, and the other way round; garbage of garbage stays, or two would make it good again. */
const GARBAGE =
  "((value) => (value instanceof Promise || typeof value === 'symbol' || Number.isNaN(value) ? value : value ? NaN : Symbol()))(";
const FUNCTION = /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/;

/**
 * Source files whose functions return garbage instead; for where tests hold nothing to spoil. The functions still run:
 * what they return is computed and thrown away, so that a function that ends the process does so as before.
 */
export async function spoilExports(files: readonly TestFile[], runPython: RunPython): Promise<Spoiled[]> {
  const python = files.filter(({ path }) => path.endsWith(".py"));
  const answer: { path: string; found: Expectation[] }[] =
    python.length === 0 ? [] : JSON.parse(await runPython(SPOIL_EXPORTS, JSON.stringify({ files: python })));
  const found = new Map(answer.map(({ path, found: some }) => [path, some]));
  return files.flatMap((file) => {
    const returns = found.get(file.path) ?? (isScript(file.path) ? findReturns(file) : []);
    return returns.length > 0 ? [spoilFile(file, returns)] : [];
  });
}

function findReturns({ path, text }: TestFile): Expectation[] {
  const program = parseScript(path, text);
  if (!program) return [];
  const visits = [...walkNodes(program)];
  // Garbage from a function that is called while the module loads would keep it from loading.
  const early = new Set(
    visits
      .filter((visit) => isCall(visit.node) && !functionAbove(visit))
      .map(({ node }) => nameOf(child(node, "callee"))),
  );
  const groups = visits.flatMap((visit): Splice[][] => {
    const { node } = visit;
    const value =
      node.type === "ReturnStatement"
        ? child(node, "argument")
        : node.type === "ArrowFunctionExpression" && child(node, "body")?.type !== "BlockStatement"
          ? child(node, "body")
          : null;
    const owner = node.type === "ReturnStatement" ? functionAbove(visit) : visit;
    if (!value || !owner || early.has(functionName(owner)) || owner.node.kind === "constructor") return [];
    return [surround(value, GARBAGE, ")")];
  });
  return keepSound(path, text, groups).map((splices) => ({ test: null, isReached: true, splices }));
}

function functionAbove({ above }: Visit): Visit | null {
  for (let visit = above; visit; visit = visit.above) if (FUNCTION.test(visit.node.type)) return visit;
  return null;
}

function functionName({ node, above }: Visit): string {
  return nameOf(child(node, "id")) || nameOf(child(node, "key")) || nameOf(child(above?.node, "id"));
}
