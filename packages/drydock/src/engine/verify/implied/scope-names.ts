import { matchPaths } from "../judge-unchanged.ts";

/** Wildcards, and an ending such as `.py` or `.{js,ts}` behind one, with nothing in particular around them. */
const CATCH_ALL = /^((\*\*|\*|\?)\/)*(\*+|\?)?(\.(\*|\w+|\{[\w,.]+\}))?$/;

/** What matches one of these, which nobody has, matches whatever there is. */
const ANYTHING = ["qzxv", "qz_xv.qz", "qz-xv.py", "qz_xv.py", "qz_xv.js", "qz_xv.ts"].flatMap((name) => [
  name,
  `qzxv/${name}`,
  `qz_xv/vx.zq/${name}`,
]);

/** Tells whether a scope speaks of this path. A catch-all lets a task write everywhere, and names nothing in particular. */
export function createScopeNames(scope: readonly string[]): (path: string) => boolean {
  const particular = scope.filter((glob) => {
    if (CATCH_ALL.test(glob.replace(/^(\.\/)+/, "").replace(/\/$/, "/**"))) return false;
    return !ANYTHING.some(matchPaths([glob]));
  });
  return particular.length === 0 ? () => false : matchPaths(particular);
}
