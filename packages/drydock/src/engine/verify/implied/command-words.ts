import type { Check } from "@drydock/protocol";
import { joinPath } from "../join-path.ts";
import type { JudgedTree } from "../judged-tree.ts";

const PYTHON = /^(python[\d.]*|pytest|py\.test|tox|nox|coverage)$/;
const SCRIPT_RUNNER = /^(npm|pnpm|yarn)$/;
/** They show what is judged, and run nothing. */
const VIEWERS = new Set("[ cat echo file grep head ls printf pwd sha256sum stat tail test wc".split(" "));
/** Code in a command line is the check's own; what it opens is judged, not run. */
const INLINE_CODE = /(\s(?:-c|-e|--eval|--print))\s*("(?:\\.|[^"\\])*"|'[^']*')/gs;

/** What the command lines of a list of checks speak of. */
export interface CommandFacts {
  /** Paths of programs and of their arguments, whether or not the file exists. */
  paths: Set<string>;
  /** Directories of Python programs among them. */
  directories: Set<string>;
  /** What is run with `python -m`. */
  modules: Set<string>;
  runsPython: boolean;
}

/** All tasks of a plan are judged by the same lists: they are read once, for as long as the scripts stay the same. */
const known = new WeakMap<readonly Check[], { scripts: string | undefined; facts: CommandFacts }>();

/** Read from the words alone: what only running would tell stays unknown. */
export async function readCommandFacts(checks: readonly Check[], before: JudgedTree): Promise<CommandFacts> {
  const entry = before.lookup("package.json");
  const found = known.get(checks);
  if (found && found.scripts === entry?.sha256) return found.facts;
  const scripts = await readScripts(before);
  const facts: CommandFacts = { paths: new Set(), directories: new Set(), modules: new Set(), runsPython: false };
  for (const line of withScripts(listCommandLines(checks), scripts)) {
    const plain = line.replace(INLINE_CODE, "$1 CODE");
    const places = ["", ...[...plain.matchAll(/(?:^|[\s;&|(])cd\s+([^\s;&|)]+)/g)].map((match) => match[1] ?? "")];
    for (const command of plain.split(/[;|&\n]+/)) readWords(splitWords(command), places, facts);
  }
  known.set(checks, { scripts: entry?.sha256, facts });
  return facts;
}

/** The command itself, and the scripts of package.json that it runs. */
export async function expandCommand(check: Check, before: JudgedTree): Promise<string[]> {
  return [...withScripts(listCommandLines([check]), await readScripts(before))];
}

function listCommandLines(checks: readonly Check[]): Set<string> {
  // A service is what is judged: what it runs is the work.
  return new Set(checks.flatMap((check) => ("cmd" in check ? [check.cmd] : [])));
}

function readWords(words: readonly string[], places: readonly string[], facts: CommandFacts): void {
  if (VIEWERS.has(words[0] ?? "")) return;
  const isUnittest = words.includes("unittest");
  for (const [index, word] of words.entries()) {
    if (PYTHON.test(word.slice(word.lastIndexOf("/") + 1))) facts.runsPython = true;
    const previous = words[index - 1];
    if (previous === "-m") facts.modules.add(word.split(".")[0] ?? "");
    const names = [word.split("::")[0] ?? ""];
    // Plugins and programs that are run by name are modules. unittest also accepts a part of a module.
    if (previous === "-p" || previous === "-m" || isUnittest) names.push(...listModuleFiles(word, isUnittest));
    for (const name of names) for (const place of places) notePath(joinPath(place, name), facts);
  }
}

function notePath(path: string | null, { paths, directories }: CommandFacts): void {
  if (path === null || path === "") return;
  paths.add(path);
  if (path.endsWith(".py")) directories.add(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
}

function listModuleFiles(name: string, withParts: boolean): string[] {
  if (!/^\w+(\.\w+)*$/.test(name)) return [];
  const parts = name.split(".");
  const ends = withParts ? parts.map((_, index) => parts.slice(0, index + 1)) : [parts];
  return ends.map((end) => end.join("/")).flatMap((path) => [`${path}.py`, `${path}/__main__.py`]);
}

function splitWords(line: string): string[] {
  return line.split(/[\s()<>"'`=$,]+/).filter((word) => word !== "");
}

/** `npm test` runs what package.json says, with what stands before and after it; and that may run others. */
function withScripts(lines: Set<string>, scripts: Record<string, unknown>): Set<string> {
  // What is added on the way is looked at as well.
  for (const line of lines) for (const script of findScripts(line, scripts)) lines.add(script);
  return lines;
}

function findScripts(line: string, scripts: Record<string, unknown>): string[] {
  const words = splitWords(line.replaceAll(/[;|&]/g, " "));
  const runner = words.findIndex((word) => SCRIPT_RUNNER.test(word));
  if (runner < 0) return [];
  const names = words.slice(runner + 1).flatMap((word) => {
    const name = word === "t" ? "test" : word;
    return [name, `pre${name}`, `post${name}`];
  });
  return names.flatMap((name) => {
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof script === "string" ? [script] : [];
  });
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
