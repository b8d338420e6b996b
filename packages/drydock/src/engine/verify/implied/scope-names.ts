import { matchPaths } from "../check-types/unchanged-check.ts";
import { isTestConfiguration, isTestDirectory, isTestFile } from "./test-files.ts";

/** Wildcards, and an ending such as `.py` or `.{js,ts}` behind one, with nothing in particular around them. */
const CATCH_ALL = /^((\*\*|\*|\?)\/)*(\*+|\?)?(\.(\*|\w+|\{[\w,.]+\}))?$/;

/** No project has these names: a pattern that matches one of them matches everything. */
const ANYTHING = ["qzxv", "qz_xv.qz", "qz-xv.py", "qz_xv.py", "qz_xv.js", "qz_xv.ts"].flatMap((name) => [
  name,
  `qzxv/${name}`,
  `qz_xv/vx.zq/${name}`,
]);

/**
 * Whether a scope names this path. A catch-all lets a task write everywhere, and names nothing in particular. A
 * directory with all that is in it names its files, but no test that happens to lie among them: for that, the directory has
 * to be one of tests, or the glob has to say what it means (`src/*.test.ts`).
 */
export function createScopeNames(scope: readonly string[]): (path: string, isJudge: boolean) => boolean {
  const particular = scope.filter(isParticular).flatMap(expandBraces).filter(isParticular);
  const outright = particular.filter((glob) => !isMereDirectory(glob));
  const names = particular.length === 0 ? () => false : matchPaths(particular);
  const namesJudges = outright.length === 0 ? () => false : matchPaths(outright);
  return (path, isJudge) => (isJudge ? namesJudges(path) : names(path));
}

/** Whether a glob names something, and not just everything. */
export function isParticular(glob: string): boolean {
  return !isCatchAll(glob) && !ANYTHING.some(matchPaths([glob]));
}

function isCatchAll(glob: string): boolean {
  return CATCH_ALL.test(glob.replace(/^(\.\/)+/, "").replace(/\/$/, "/**"));
}

/** `src/**`, `src/`, `src`, `src/*.ts`: a place without tests in its name, and whatever there is in it. */
function isMereDirectory(glob: string): boolean {
  const parts = glob.replace(/\/$/, "/**").split("/");
  const at = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  const place = (at < 0 ? parts : parts.slice(0, at)).join("/");
  if (isTestDirectory(place)) return false;
  // A plain path may be a file or a directory; what it names as a file, it names outright.
  return at < 0 ? !isTestFile(place) && !isTestConfiguration(place) : isCatchAll(parts.slice(at).join("/"));
}

/** `{src,lib}/**` names two directories. Braces in braces are left as they are, and match as a whole. */
function expandBraces(glob: string): string[] {
  const [whole, before, inside, after] = /^([^{}]*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(glob) ?? [];
  if (whole === undefined) return [glob];
  return (inside ?? "").split(",").flatMap((each) => expandBraces(`${before}${each}${after}`));
}
