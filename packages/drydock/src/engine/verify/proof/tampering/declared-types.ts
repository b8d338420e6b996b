import type { ChangeOptions } from "../judge-change.ts";

const ENDINGS = ["js", "mjs", "cjs", "jsx"];

/**
 * Declarations that a type check takes for what the code is: of a module that they hide, or of code that the same change wrote
 * and that the check does not look at. Declarations of what somebody else wrote are all that one can say of it. Null: none.
 */
export function findDeclaredTypes({ baseline, context }: Pick<ChangeOptions, "baseline" | "context">): string | null {
  const kinds = new Map(baseline.changed.map(({ path, kind }) => [path, kind]));
  for (const [path, kind] of kinds) {
    const module = /^(.+)\.pyi$/.exec(path)?.[1];
    if (module !== undefined && kind !== "deleted" && context.tree.lookup(`${module}.py`))
      return `${path} hides ${module}.py from the check, which reads the declarations in its place.`;
    const stem = /^(.+)\.d\.[cm]?ts$/.exec(path)?.[1];
    if (stem === undefined || kind === "deleted") continue;
    const hidden = [`${stem}/index.ts`, `${stem}/index.tsx`].find((each) => context.tree.lookup(each));
    if (hidden) return `${path} hides ${hidden} from the check, which reads the declarations in its place.`;
    const replaced = [`${stem}.ts`, `${stem}.tsx`].find((each) => kinds.get(each) === "deleted");
    const written = ENDINGS.map((ending) => `${stem}.${ending}`).find((each) => {
      const how = kinds.get(each);
      return how === "added" || how === "changed";
    });
    if (replaced ?? written)
      return `${path} declares the types of ${written ?? replaced}, which the check takes on trust: it does not look at the code.`;
  }
  return null;
}
