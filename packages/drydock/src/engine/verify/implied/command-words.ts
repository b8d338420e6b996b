import type { Check } from "@drydock/protocol";
import type { JudgedTree } from "../judged-tree.ts";

const PYTHON = /^(python[\d.]*|pytest|py\.test|tox|nox|coverage)$/;
const SCRIPT_RUNNER = /^(npm|pnpm|yarn)$/;
/** They show what is judged, and run nothing. */
const VIEWERS = new Set("[ cat echo file grep head ls printf pwd sha256sum stat tail test wc".split(" "));
/** Code in a command line is the check's own; what it opens is judged, not run. */
const INLINE_CODE = /(\s(?:-c|-e|--eval|--print))\s*("(?:\\.|[^"\\])*"|'[^']*')/gs;

/** What the command lines of a list of checks speak of. */
export interface CommandFacts {
  /** Files of the tree that are run, or given to what is run, by their paths. */
  files: Set<string>;
  /** What is run with `python -m`. */
  modules: Set<string>;
  runsPython: boolean;
}

/** Read from the words alone: what only running would tell stays unknown. */
export async function readCommandFacts(checks: readonly Check[], before: JudgedTree): Promise<CommandFacts> {
  const lines = checks.flatMap((check) => [
    ...("cmd" in check ? [check.cmd] : []),
    ...("start" in check && check.start !== undefined ? [check.start] : []),
  ]);
  const scripts = await readScripts(before);
  const all = lines.flatMap((line) => [line, ...findScripts(line, scripts)]);
  const facts: CommandFacts = { files: new Set(), modules: new Set(), runsPython: false };
  for (const line of all.map((each) => each.replace(INLINE_CODE, "$1 CODE"))) {
    const places = ["", ...[...line.matchAll(/(?:^|[\s;&|(])cd\s+([^\s;&|)]+)/g)].map((match) => match[1] ?? "")];
    for (const command of line.split(/[;|&\n]+/)) readWords(splitWords(command), places, before, facts);
  }
  return facts;
}

function readWords(words: readonly string[], places: readonly string[], before: JudgedTree, facts: CommandFacts): void {
  if (VIEWERS.has(words[0] ?? "")) return;
  for (const [index, word] of words.entries()) {
    if (PYTHON.test(word.slice(word.lastIndexOf("/") + 1))) facts.runsPython = true;
    if (words[index - 1] === "-m") facts.modules.add(word.split(".")[0] ?? "");
    // A plugin is named as a module.
    const name = words[index - 1] === "-p" ? `${word.replaceAll(".", "/")}.py` : word.split("::")[0];
    for (const place of places) {
      const path = plainPath(`${place}/${name}`);
      if (path !== null && before.lookup(path)?.type === "file") facts.files.add(path);
    }
  }
}

function splitWords(line: string): string[] {
  return line.split(/[\s()<>"'`=$,]+/).filter((word) => word !== "");
}

function plainPath(text: string): string | null {
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") ? null : parts.join("/");
}

/** `npm test` runs what package.json says, with what stands before and after it. */
function findScripts(line: string, scripts: Record<string, unknown>): string[] {
  const words = splitWords(line.replaceAll(/[;|&]/g, " "));
  const names = words.flatMap((word, index) => {
    if (!SCRIPT_RUNNER.test(word)) return [];
    const next = words[index + 1] ?? "";
    const name = next === "run" || next === "run-script" ? (words[index + 2] ?? "") : next === "t" ? "test" : next;
    return [name, `pre${name}`, `post${name}`];
  });
  return names.flatMap((name) => (typeof scripts[name] === "string" ? [scripts[name]] : []));
}

async function readScripts(before: JudgedTree): Promise<Record<string, unknown>> {
  if (before.lookup("package.json")?.type !== "file") return {};
  try {
    const { scripts } = JSON.parse((await before.read("package.json"))?.toString() ?? "{}");
    return typeof scripts === "object" && scripts !== null ? { ...scripts } : {};
  } catch {
    return {};
  }
}
