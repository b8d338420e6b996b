import type { ControlEvidence } from "@drydock/protocol";
import type { CommandRun } from "../finding.ts";
import { isTestFile } from "../implied/test-files.ts";
import type { ChangeOptions } from "./judge-change.ts";
import { findForeignMeddling } from "./meddling.ts";

/** Ways into the process that judges, which the work itself has no use for. */
const MEDDLING = [
  /^\s*(?:import|from)\s+(?:unittest|pytest|_pytest|doctest)\b/m,
  /\b(?:__build_class__|_getframe|f_locals|co_consts|co_code|settrace|setprofile)\b|\bgc\.get_(?:objects|referrers)\b/,
  /\brequire\(\s*['"](?:node:)?(?:assert|test)\b|\bfrom\s+['"](?:node:)?(?:assert|test)\b|\bexpect\.extend\b/,
  /\bprocess\.(?:binding|reallyExit)\b|\basymmetricMatch\b|\bprepareStackTrace\b/,
];

/** Source that reaches for the tests' own tools: what its tests say of it can't be relied on. Null: none does. */
export async function findMeddling({ ground, context }: ChangeOptions): Promise<string | null> {
  for (const { path, kind } of ground.changed) {
    if (kind === "deleted" || isTestFile(path) || /testing|fixture|mock/i.test(path) || ground.inputs.has(path))
      continue;
    const [was, is] = await Promise.all([ground.before.read(path), context.tree.read(path)]);
    const [before, after] = [was?.toString() ?? "", is?.toString() ?? ""];
    const foreign = findForeignMeddling(path, before, after);
    if (foreign !== null) return `${path} has ${foreign}, by which source can get round its own tests.`;
    if (!/\.(py|[cm]?[jt]sx?)$/.test(path)) continue;
    const found = MEDDLING.map((pattern) => pattern.exec(after)).find((match) => match && !before.includes(match[0]));
    if (found) return `${path} uses ${found[0].trim()}, by which source can reach into its own tests.`;
  }
  return null;
}

/** They read the work, and run none of it. */
const READERS =
  /\b(py_compile|compileall|tsc|eslint|biome|prettier|ruff|flake8|pylint|mypy|pyright|black|isort|shellcheck|--check)\b|--check\b/;

/**
 * A command that only has to end well passes whatever the code does that it runs. Compilers and linters run none of it, and
 * what a command must print is an expectation of its own.
 */
export function findUnspoilt(
  ran: CommandRun | undefined,
  control: ControlEvidence | undefined,
  { check, ground }: ChangeOptions,
): string | null {
  if (control?.kind !== "none" || check.type !== "command" || READERS.test(check.cmd)) return null;
  const changed = new Set(ground.changed.map(({ path }) => path));
  const isRun = ran?.report?.files.some(({ path, how }) => how !== "open" && changed.has(path)) ?? false;
  return isRun
    ? `${check.cmd} runs the changed code, and nothing that it expects of it could be found: it may pass whatever the code does.`
    : null;
}

/** Examples in the docstrings of a changed file are tests: each that was there must be there still. */
export async function findLostExample({
  check,
  ground,
  context,
  isNamed,
}: ChangeOptions): Promise<{ code: string; reason: string } | null> {
  if (!check.cmd.includes("doctest")) return null;
  for (const { path, kind } of ground.changed) {
    if (kind === "added" || !path.endsWith(".py") || isNamed(path, true)) continue;
    const [was, is] = await Promise.all([ground.before.read(path), context.tree.read(path)]);
    const kept = new Set(listExamples(is?.toString() ?? ""));
    const lost = listExamples(was?.toString() ?? "").find((example) => !kept.has(example));
    if (lost === undefined) continue;
    return { code: "test_missing", reason: `An example in ${path} is gone or changed: ${lost.split("\n")[0]}` };
  }
  return null;
}

/** Each example with what it shows, without the indentation. */
function listExamples(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, at) => {
    if (!line.startsWith(">>>")) return [];
    const end = lines.findIndex((other, index) => index > at && (other === "" || /^(>>>|"""|''')/.test(other)));
    return [lines.slice(at, end < 0 ? undefined : end).join("\n")];
  });
}
