import type { ControlEvidence } from "@drydock/protocol";
import type { Observed } from "../../../sandbox/index.ts";
import type { CommandRun } from "../finding.ts";
import { isTestFile } from "../implied/test-files.ts";
import type { ChangeOptions } from "./judge-change.ts";
import { findForeignMeddling } from "./meddling.ts";
import { findScript, isInterpreter } from "./program-roles.ts";
import { isDoctest } from "./test-inputs.ts";

const BUILT_IN =
  "Array|Object|String|Number|Boolean|Promise|Function|Error|TypeError|RangeError|Map|Set|Symbol|Reflect|JSON|Math";

/** Ways into the process that judges, which the work itself has no use for. */
const MEDDLING = [
  /^\s*(?:import|from)\s+(?:unittest|pytest|_pytest|doctest)\b/m,
  /\b(?:__build_class__|_getframe|f_locals|co_consts|co_code|settrace|setprofile)\b|\bgc\.get_(?:objects|referrers)\b/,
  /\bsys\.modules\s*\[[^\]\n]+\]\s*=|\bsys\.modules\.(?:update|setdefault)\b|\bsys\.meta_path\b/,
  /^\s*import\s+builtins\b|\bbuiltins\.\w+\s*=[^=]|\b__builtins__\b/m,
  /\brequire\(\s*['"](?:node:)?(?:assert|test)\b|\bfrom\s+['"](?:node:)?(?:assert|test)\b|\bexpect\.extend\b/,
  /\bprocess\.(?:binding|reallyExit)\b|\basymmetricMatch\b|\bprepareStackTrace\b|\brequire\.cache\b|\bModule\._(?:load|resolveFilename)\b/,
  new RegExp(
    String.raw`\b(?:${BUILT_IN})\.prototype\.\w+\s*=[^=]|\b(?:globalThis|global)\.(?:${BUILT_IN}|test|it|describe|expect|assert|setTimeout)\s*=[^=]`,
  ),
  new RegExp(String.raw`\bdefinePropert(?:y|ies)\(\s*(?:globalThis|global|(?:${BUILT_IN})(?:\.prototype)?)\s*,`),
];

const REPLACED = /\b(fs|assert|util|path|child_process|http|https|timers|vm|crypto|os)\.\w+\s*=[^=>]/g;

/** A function of one of Node's modules that is given another value. `path.cost = 5`, without the module, is somebody's own. */
function findReplaced(before: string, after: string): string | undefined {
  const found = [...after.matchAll(REPLACED)].find(([text, name = ""]) => {
    const isModule = [`'${name}'`, `"${name}"`, `node:${name}`].some((word) => after.includes(word));
    return isModule && !before.includes(text);
  });
  return found?.[0].trim();
}

const JOINED = /(['"])([\w$.:-]*)\1\s*\+\s*(['"])([\w$.:-]*)\3/g;
const LISTED = /\[\s*((['"])[\w$.:-]*\2(?:\s*,\s*(['"])[\w$.:-]*\3)*)\s*,?\s*\]\.join\(\s*(['"`])\4\s*\)/g;

/** Source with names put together that were written in pieces. */
function joinLiterals(text: string): string {
  const listed = text.replace(LISTED, (_, pieces: string) => `'${pieces.replace(/[\s'",]/g, "")}'`);
  const joined = listed.replace(JOINED, "$1$2$4$1");
  return joined === text ? text : joinLiterals(joined);
}

/** What tells a program that it is being tested. */
const TELLTALES = [
  /\b(?:PYTEST_CURRENT_TEST|PYTEST_VERSION|NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST(?:_\w+)?|MOCHA_\w+)\b/,
  /['"](?:pytest|_pytest|unittest)['"]\s+in\s+sys\.modules|\bNODE_ENV\b[^\n]{0,20}['"]test['"]/,
];

/** Words by which source asks a compiler or a linter to look away. */
const SUPPRESSED =
  /@ts-(?:nocheck|ignore|expect-error)|\b(?:eslint|oxlint|tslint|stylelint|shellcheck|pylint)[ :-]+disable|\bbiome-ignore\b|#\s*noqa\b|#\s*type:\s*ignore|\bruff:\s*noqa|\bmypy:\s*ignore-errors|\bpyright:\s*(?:ignore|basic)|\bprettier-ignore\b|\bfmt:\s*(?:off|skip)|\bnosec\b/;

/**
 * Source that reaches for the tests' own tools, that asks whether it is being tested, or that asks the check to look away:
 * what the check says of it can't be relied on. Null: none does.
 */
export async function findMeddling({ check, ground, context }: ChangeOptions): Promise<string | null> {
  const isRead = isReadOnly(check.cmd);
  for (const { path, kind } of ground.changed) {
    if (kind === "deleted" || isTestFile(path) || /testing|fixture|mock/i.test(path) || ground.inputs.has(path))
      continue;
    const [was, is] = await Promise.all([ground.before.read(path), context.tree.read(path)]);
    const [before, after] = [joinLiterals(was?.toString() ?? ""), joinLiterals(is?.toString() ?? "")];
    const foreign = findForeignMeddling(path, before, after);
    if (foreign !== null) return `${path} has ${foreign}, by which source can get round its own tests.`;
    if (!/\.(py|[cm]?[jt]sx?|sh|vue|svelte|css|scss)$/.test(path)) continue;
    const findNew = (patterns: readonly RegExp[]) =>
      patterns
        .map((pattern) => pattern.exec(after))
        .find((match) => match && !before.includes(match[0]))?.[0]
        .trim();
    const meddling = findNew(MEDDLING) ?? findReplaced(before, after);
    if (meddling) return `${path} uses ${meddling}, by which source can reach into its own tests.`;
    const telltale = findNew(TELLTALES);
    if (telltale) return `${path} asks for ${telltale}: what it does may depend on being tested.`;
    const suppressed = isRead ? findNew([SUPPRESSED]) : undefined;
    if (suppressed) return `${path} says ${suppressed}, which tells the check to look away.`;
  }
  return null;
}

/** They read the work, and run none of it. */
const READERS =
  /^(py_compile|compileall|tsc|eslint|oxlint|stylelint|biome|prettier|ruff|flake8|pylint|mypy|pyright|black|isort|shellcheck|markdownlint|yamllint)$/;
const STARTERS = /^(npx|bunx|pnpx|pnpm|yarn|npm|exec|dlx|uv|poetry|pdm|hatch|run|python[\d.]*|-m|--|-y|--yes|cd\s.*)$/;

/** Whether every command of the line only reads the work, as compilers and linters do. */
function isReadOnly(line: string): boolean {
  const commands = line.split(/&&|\|\||;|\n/).map((part) => part.trim().split(/\s+/));
  return commands.every((words) => {
    if (words[0] === "cd" || words[0] === "") return true;
    const rest = words.filter((word) => !/^\w+=/.test(word));
    const program = rest.find((word) => !STARTERS.test(word)) ?? "";
    return READERS.test(program.slice(program.lastIndexOf("/") + 1)) || /^node\s+--check\b/.test(rest.join(" "));
  });
}

/**
 * A command that only has to end well passes whatever the code does that it runs. Compilers and linters run none of it, and
 * what a command must print is an expectation of its own.
 */
export function findUnspoilt(
  ran: CommandRun | undefined,
  control: ControlEvidence | undefined,
  { check, ground }: ChangeOptions,
): string | null {
  if (control?.kind !== "none" || check.type !== "command" || isReadOnly(check.cmd)) return null;
  const changed = new Set(ground.changed.map(({ path }) => path));
  const isLoaded = ran?.report?.files.some(({ path, how }) => how !== "open" && changed.has(path)) ?? false;
  return isLoaded || (ran?.observed && isStarted(ran.observed, changed))
    ? `${check.cmd} runs the changed code, and nothing that it expects of it could be found: it may pass whatever the code does.`
    : null;
}

/** Whether a shell or another interpreter ran or sourced one of these files. */
function isStarted({ programs, paths }: Observed, changed: ReadonlySet<string>): boolean {
  if (programs.some((program) => changed.has(findScript(program) ?? ""))) return true;
  return paths.some(([index, how, path]) => {
    const program = index === null ? undefined : programs[index];
    return how === "read" && changed.has(path) && program !== undefined && isInterpreter(program);
  });
}

/** Examples in the docstrings of a changed file are tests: each that was there must be there still. */
export async function findLostExample({
  check,
  ground,
  context,
  isNamed,
}: ChangeOptions): Promise<{ code: string; reason: string } | null> {
  const records = await ground.recordsOf(check);
  const hasExamples = records.some(({ report }) =>
    report?.tests.some(({ id, file }) => file !== null && isDoctest(id, file)),
  );
  if (!hasExamples && !check.cmd.includes("doctest")) return null;
  for (const { path, kind } of ground.changed) {
    if (kind === "added" || !/\.(py|md|rst|txt)$/.test(path) || isNamed(path, true)) continue;
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
