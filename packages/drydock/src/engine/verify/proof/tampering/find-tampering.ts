import type { Observed } from "../../../../sandbox/index.ts";
import { expandCommand } from "../../implied/command-words.ts";
import { isTestFile } from "../../implied/test-files.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import type { ChangeOptions } from "../judge-change.ts";
import { findScript } from "../program-roles.ts";
import { isReadOnly } from "../read-only.ts";
import { findDeclaredTypes } from "./declared-types.ts";
import {
  findForeignTampering,
  findRedefinedMacro,
  findSourcedTampering,
  isForeignSource,
} from "./foreign-tampering.ts";
import { findHashedAnswers } from "./hashed-answers.ts";
import { findInterposed } from "./interposed.ts";
import { joinLiterals } from "./join-literals.ts";
import { findOwnComparison } from "./own-comparison.ts";
import { findSharedState } from "./shared-state.ts";
import { type CheckTraits, findSuspect } from "./suspect-words.ts";
import { findLentTool, findTakenName } from "./taken-names.ts";

/**
 * Source that reaches for the tests' own tools, that asks whether it is being tested, or that asks the check to look away:
 * what the check says of it can't be relied on. Null: none does.
 */
export async function findTampering(
  { check, baseline, context, runPython }: ChangeOptions,
  observed: Observed | null = null,
): Promise<string | null> {
  const look = await readLook(check, baseline.before);
  const tests = await readTests(baseline);
  const isNamed = (name: string) => new RegExp(String.raw`\b${name}\b`).test(tests);
  const written = new Map<string, string>();
  for (const { path, kind } of baseline.changed) {
    if (kind === "deleted" || isTestFile(path) || /testing|fixture|mock/i.test(path) || baseline.inputs.has(path))
      continue;
    const [was, is] = await Promise.all([baseline.before.read(path), context.tree.read(path)]);
    if ((is?.length ?? 0) >= MOST_WRITTEN) {
      if (isSource(path))
        return `${path} is too large to be looked at: source can hide there what gets round its tests.`;
      continue;
    }
    const [before, after] = [joinLiterals(was?.toString() ?? ""), joinLiterals(is?.toString() ?? "")];
    const foreign =
      findForeignTampering(path, before, after) ??
      findRedefinedMacro(path, before, after, tests) ??
      (await findInterposed(path, before, after, { tests, runPython })) ??
      (observed && isSourced(observed, path) ? findSourcedTampering(before, after) : null);
    if (foreign !== null) return `${path} has ${foreign}, by which source can get round its own tests.`;
    written.set(path, after);
    const own = findOwnComparison(path, before, after, isNamed);
    if (own !== null) return `${path} has ${own}: a value with it may equal whatever a test expects.`;
    if (!SOURCE.test(path)) continue;
    const suspect = findSuspect(before, after, look);
    if (suspect !== null) return `${path} ${suspect}`;
    const taken = path.endsWith(".py") ? findTakenName(before, after, tests) : null;
    if (taken !== null) return `${path} defines ${taken}, which its tests then use in the place of Python's own.`;
    const lent = path.endsWith(".py") ? findLentTool(before, after, tests) : null;
    if (lent !== null) return `${path} replaces what its tests use (${lent}).`;
    const shared = findSharedState(before, after, tests);
    if (shared !== null) return `${path} ${shared}: both sides of a comparison may be changed in the same way.`;
  }
  return (look.types ? findDeclaredTypes({ baseline, context }) : null) ?? findHashedAnswers(written);
}

const SOURCE = /\.(py|[cm]?[jt]sx?|sh|vue|svelte|css|scss)$/;
const isSource = (path: string) => SOURCE.test(path) || isForeignSource(path);
/** In bytes. */
const MOST_WRITTEN = 1 << 20;
const MOST_TESTS = 200;

/** What the tests and checking programs of the untouched tree say. */
export async function readTests({ inputs, before }: ChangeOptions["baseline"]): Promise<string> {
  const paths = [...inputs].flatMap(([path, { kind }]) =>
    kind === "tests" || kind === "program" || kind === "command" ? [path] : [],
  );
  const texts = await Promise.all(paths.slice(0, MOST_TESTS).map((path) => before.read(path)));
  return texts.map((text) => text?.toString() ?? "").join("\n");
}

const MEASURES = /coverage|--cov\b|(?:^|[\s/])(?:c8|nyc)(?:\s|$)/;
/** Settings that have coverage measured whatever the command says. */
const SETTINGS = /--cov\b|\bcoverageThreshold\b|\bcollectCoverage["']?\s*:\s*true/;
const SETTINGS_FILES =
  "pyproject.toml pytest.ini setup.cfg tox.ini package.json jest.config.js jest.config.cjs jest.config.mjs jest.config.ts";

async function readLook(check: ChangeOptions["check"], before: JudgedTree): Promise<CheckTraits> {
  const lines = await expandCommand(check, before);
  const isScript = (line: string) => lines.length > 1 && /^\s*(?:npm|pnpm|yarn)\s[^;&|\n]*$/.test(line);
  const reads = lines.every((line) => isScript(line) || isReadOnly(line));
  const types =
    reads && lines.some((line) => /(?:^|[\s/])(?:(?:vue-)?tsc|pyright|basedpyright|mypy|ty)(?:\s|$)/.test(line));
  const coverage = lines.some((line) => MEASURES.test(line)) || (await hasSettings(before));
  return { reads, types, coverage };
}

async function hasSettings(before: JudgedTree): Promise<boolean> {
  const there = SETTINGS_FILES.split(" ").filter((path) => before.lookup(path)?.type === "file");
  const texts = await Promise.all(there.map((path) => before.read(path)));
  return texts.some((text) => SETTINGS.test(text?.toString() ?? ""));
}

/** Whether a shell that runs something else read it: what it sets there holds for the test, too. */
function isSourced({ programs, paths }: Observed, path: string): boolean {
  return paths.some(([index, how, read]) => {
    const program = index === null ? undefined : programs[index];
    if (how !== "read" || read !== path || !program) return false;
    return /(^|\/)(ba|da|z|k)?sh$/.test(program.program) && findScript(program) !== path;
  });
}
