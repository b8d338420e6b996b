import type { Observed, ObservedProgram } from "../../../sandbox/index.ts";
import { isTestFile } from "../implied/test-files.ts";
import { joinPath } from "../join-path.ts";

/**
 * What a program is to the check that started it. `judge`: it is part of the check, and what it reads decides.
 * `subject`: it is what is judged, or shows or builds it. `witnessed`: an interpreter that reports which of its files
 * opened what.
 */
export type ProgramRole = "judge" | "subject" | "witnessed";

const SHELLS = new Set("bash sh dash zsh ksh busybox".split(" "));
const WITNESSED = /^(python[\d.]*|node|nodejs|pytest)$/;
/** They run a file that is named among their arguments. */
const INTERPRETERS = /^(perl|ruby|php|lua|tclsh|Rscript|awk|gawk|mawk|deno|bun|java)[\d.]*$/;
/** They show or build what is judged: their input is the work, not the judge. */
const TOOLS_OF_THE_WORK = new Set(
  [
    "[ cat echo file find grep egrep fgrep head ls od printf pwd sed sha256sum sort stat tail test tr uniq wc xxd jq",
    "cc c++ gcc g++ clang clang++ cc1 cc1plus as ld collect2 ar ranlib cpp cmake ninja meson rustc cargo go",
    "compile link javac kotlinc tsc esbuild swc babel dotnet mvn gradle ghc swiftc git",
  ].flatMap((line) => line.split(" ")),
);
const COMPILER =
  /^(cc1(plus|obj)?|(\w+-)*(cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(-[\d.]+)?|tcc|rustc|compile|javac|swiftc|swift-frontend|ghc|zig|dmd|f951|gfortran)$/;
/** Where systems keep what they brought with them. */
const INSTALLED = /^\/(usr|bin|sbin|lib\w*|opt|etc|nix|root|home|snap)\//;
const LOOKS_LIKE_A_CHECK = /(^|[^a-z])(check|verif|assert|validat|compar|expect|golden|judge|grade|spec|test|lint)/i;

const ROOT = "/work/";

/** The roles in the order of the list: a program comes after the one that started it. */
export function listRoles({ programs }: Observed): ProgramRole[] {
  const roles: ProgramRole[] = [];
  const belowScript: boolean[] = [];
  for (const [index, program] of programs.entries()) {
    const parent = program.parent;
    const parentRole = parent === null ? "judge" : (roles[parent] ?? "judge");
    const isBelow = parent !== null && (belowScript[parent] ?? false);
    const script = findScript(program);
    belowScript[index] = isBelow || script !== null;
    // The first is the driver that starts the command; a copy of a program is what the program is.
    const isSame = parent === null || isCopy(program, programs[parent]);
    roles[index] = isSame ? parentRole : roleOf(program, script, parentRole, isBelow);
  }
  return roles;
}

/** A process that was forked and has not executed anything else. */
function isCopy(program: ObservedProgram, parent: ObservedProgram | undefined): boolean {
  return program.program === parent?.program && program.arguments.join("\0") === parent.arguments.join("\0");
}

/** Files of the tree that the check's command runs itself; what those start is not among them. */
export function listCommandScripts({ programs }: Observed): Set<string> {
  const scripts = new Set<string>();
  const below = programs.map(() => false);
  for (const [index, program] of programs.entries()) {
    const parent = program.parent === null ? undefined : programs[program.parent];
    const script = findScript(program);
    const isInside = program.parent !== null && below[program.parent] === true;
    below[index] = isInside || script !== null;
    if (script !== null && (!isInside || (isCopy(program, parent) && scripts.has(script)))) scripts.add(script);
  }
  return scripts;
}

/** They start what somebody wrote down elsewhere, and are what their starter is. */
const GO_BETWEEN = new Set("make gmake env timeout nice time xargs nohup npm npx yarn pnpm".split(" "));

export function isGoBetween({ program, arguments: words }: ObservedProgram): boolean {
  const isPackageManager =
    WITNESSED.test(basename(program)) && /(^|\/)(npm|npx|yarn|pnpm)(-cli)?(\.[cm]?js)?$/.test(words[1] ?? "");
  return GO_BETWEEN.has(basename(program)) || isPackageManager;
}

/** Whether it turns source into a program. */
export function isCompiler({ program }: ObservedProgram): boolean {
  return COMPILER.test(basename(program));
}

/** Whether anything ran that was built, and not only the tools that build. Interpreters may lie anywhere. */
export function runsWhatIsBuilt({ programs }: Observed): boolean {
  return programs.some(({ program }) => {
    const name = basename(program);
    return (!INSTALLED.test(program) && !WITNESSED.test(name)) || /^(java|dotnet|mono)$/.test(name);
  });
}

function roleOf(program: ObservedProgram, script: string | null, parent: ProgramRole, isBelow: boolean): ProgramRole {
  const name = basename(program.program);
  if (isGoBetween(program)) return parent;
  if (WITNESSED.test(name)) return "witnessed";
  if (parent === "subject") return "subject";
  // Of what an interpreter with a witness starts, a file of the tree is the work as a rule: tests try out programs.
  if (script !== null) return (isBelow || parent === "witnessed") && !looksLikeCheck(script) ? "subject" : "judge";
  if (TOOLS_OF_THE_WORK.has(name)) return "subject";
  return parent === "witnessed" ? "subject" : "judge";
}

/** Whether it runs what it reads, and has no witness of its own. */
export function isInterpreter({ program }: ObservedProgram): boolean {
  const name = basename(program);
  return SHELLS.has(name) || INTERPRETERS.test(name);
}

/** The file of the tree that a program runs. */
export function findScript({ program, arguments: words, directory }: ObservedProgram): string | null {
  if (program.startsWith(ROOT)) return leaveOutInstalled(program.slice(ROOT.length));
  const name = basename(program);
  if (!SHELLS.has(name) && !INTERPRETERS.test(name) && !WITNESSED.test(name)) return null;
  for (const word of words.slice(1)) {
    if (word === "-c" || word === "-e" || word === "--eval" || word === "-m") return null;
    if (word.startsWith("-")) continue;
    const path = word.startsWith("/") ? word : `${directory}/${word}`;
    return path.startsWith(ROOT) ? leaveOutInstalled(joinPath("", path.slice(ROOT.length)) || null) : null;
  }
  return null;
}

/** Of these scripts, those below which another one of them was started. */
export function findStarters(observed: Observed | null, scripts: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const program of observed?.programs ?? []) {
    const started = findScript(program);
    if (started === null || !scripts.has(started)) continue;
    for (let at = program.parent; at !== null; at = observed?.programs[at]?.parent ?? null) {
      const above = observed?.programs[at];
      const starter = above ? findScript(above) : null;
      if (starter !== null && starter !== started && scripts.has(starter)) found.add(starter);
    }
  }
  return found;
}

/** Programs of a virtual environment are tools like those of the system. */
function leaveOutInstalled(path: string | null): string | null {
  return path !== null && /^\.?venv\/bin\//.test(path) ? null : path;
}

export function looksLikeCheck(path: string): boolean {
  return isTestFile(path) || LOOKS_LIKE_A_CHECK.test(path);
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
