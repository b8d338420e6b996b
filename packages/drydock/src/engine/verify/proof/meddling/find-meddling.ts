import type { Observed } from "../../../../sandbox/index.ts";
import { expandCommand } from "../../implied/command-words.ts";
import { isTestFile } from "../../implied/test-files.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import type { ChangeOptions } from "../judge-change.ts";
import { findScript } from "../program-roles.ts";
import { isReadOnly } from "../read-only.ts";
import { findForeignMeddling, findSourcedMeddling } from "./foreign-meddling.ts";
import { joinLiterals } from "./join-literals.ts";
import { findSuspect, type Look } from "./suspect-words.ts";

/**
 * Source that reaches for the tests' own tools, that asks whether it is being tested, or that asks the check to look away:
 * what the check says of it can't be relied on. Null: none does.
 */
export async function findMeddling(
  { check, ground, context }: ChangeOptions,
  observed: Observed | null = null,
): Promise<string | null> {
  const look = await readLook(check, ground.before);
  for (const { path, kind } of ground.changed) {
    if (kind === "deleted" || isTestFile(path) || /testing|fixture|mock/i.test(path) || ground.inputs.has(path))
      continue;
    const [was, is] = await Promise.all([ground.before.read(path), context.tree.read(path)]);
    const [before, after] = [joinLiterals(was?.toString() ?? ""), joinLiterals(is?.toString() ?? "")];
    const foreign =
      findForeignMeddling(path, before, after) ??
      (observed && isSourced(observed, path) ? findSourcedMeddling(before, after) : null);
    if (foreign !== null) return `${path} has ${foreign}, by which source can get round its own tests.`;
    if (!/\.(py|[cm]?[jt]sx?|sh|vue|svelte|css|scss)$/.test(path)) continue;
    const suspect = findSuspect(before, after, look);
    if (suspect !== null) return `${path} ${suspect}`;
  }
  return null;
}

const MEASURES = /coverage|--cov\b|(?:^|[\s/])(?:c8|nyc)(?:\s|$)/;
/** Settings that have coverage measured whatever the command says. */
const SETTINGS = /--cov\b|\bcoverageThreshold\b|\bcollectCoverage["']?\s*:\s*true/;
const SETTINGS_FILES =
  "pyproject.toml pytest.ini setup.cfg tox.ini package.json jest.config.js jest.config.cjs jest.config.mjs jest.config.ts";

async function readLook(check: ChangeOptions["check"], before: JudgedTree): Promise<Look> {
  const lines = await expandCommand(check, before);
  const isScript = (line: string) => lines.length > 1 && /^\s*(?:npm|pnpm|yarn)\s[^;&|\n]*$/.test(line);
  const reads = lines.every((line) => isScript(line) || isReadOnly(line));
  const types = reads && lines.some((line) => /(?:^|[\s/])(?:vue-)?tsc(?:\s|$)/.test(line));
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
