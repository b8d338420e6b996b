import { matchPaths } from "../judge-unchanged.ts";

/** Wildcards, and an ending such as `.py` or `.{js,ts}` behind one, with nothing in particular around them. */
const CATCH_ALL = /^((\*\*|\*|\?)\/)*(\*+|\?)?(\.(\*|\w+|\{[\w,.]+\}))?$/;

/** Tells whether a scope speaks of this path. A catch-all lets a task write everywhere, and names nothing in particular. */
export function createScopeNames(scope: readonly string[]): (path: string) => boolean {
  const particular = scope.filter((glob) => !CATCH_ALL.test(glob.replace(/^(\.\/)+/, "").replace(/\/$/, "/**")));
  return particular.length === 0 ? () => false : matchPaths(particular);
}
