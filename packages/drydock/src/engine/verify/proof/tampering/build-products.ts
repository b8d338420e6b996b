import { isTestFile } from "../../implied/test-files.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import type { ChangeOptions } from "../judge-change.ts";

/** Fields of package.json that name what is built for others. */
const PUBLISHED = ["main", "module", "exports", "bin", "types", "files", "browser"];
const BUILT = /(^|\/)(dist|build|out)\/(.+)\.([cm]?js|css)$/;

/** A change of what is built, and not of what it is built from: the next build takes it back. Null: none. */
export async function findBuildProduct({ baseline, context }: ChangeOptions): Promise<string | null> {
  const changed = new Set(baseline.changed.map(({ path }) => path));
  for (const path of changed) {
    const stem = BUILT.exec(path)?.[3];
    if (stem === undefined || baseline.inputs.has(path) || !baseline.before.lookup(path) || !context.tree.lookup(path))
      continue;
    const sources = listSources(stem, path, baseline.before);
    if (sources.length === 0 || !(await isPublished(path, baseline.before))) continue;
    const really = await Promise.all(
      sources.filter((each) => changed.has(each)).map((each) => isReallyChanged(each, baseline.before, context.tree)),
    );
    if (!really.includes(true))
      return `${path} was changed, and ${sources[0]}, from which it is built, was not: the next build takes the change back.`;
  }
  return null;
}

/** A directory called `build` may hold scripts by which one builds. */
async function isPublished(path: string, before: JudgedTree): Promise<boolean> {
  const directory = BUILT.exec(path)?.[2] ?? "";
  if (directory === "dist") return true;
  const base = path.slice(0, path.indexOf(`${directory}/`));
  try {
    const fields: Record<string, unknown> = JSON.parse((await before.read(`${base}package.json`))?.toString() ?? "{}");
    return PUBLISHED.some((name) => (JSON.stringify(fields[name]) ?? "").includes(directory));
  } catch {
    return false;
  }
}

/** Files with the same name that are no products. */
function listSources(stem: string, product: string, before: JudgedTree): string[] {
  const name = stem.slice(stem.lastIndexOf("/") + 1).replace(/\.min$/, "");
  return before.paths().filter((path) => {
    const isOther = path !== product && !BUILT.test(path) && !path.includes("node_modules/") && !isTestFile(path);
    const [, own] = /([^/]+)\.(?:[cm]?[jt]sx?|coffee|s?css|less)$/.exec(path) ?? [];
    return isOther && own === name;
  });
}

/** In more than comments and white space. */
async function isReallyChanged(path: string, before: JudgedTree, after: JudgedTree): Promise<boolean> {
  const [was, is] = await Promise.all([before.read(path), after.read(path)]);
  return strip(was?.toString() ?? "") !== strip(is?.toString() ?? "");
}

function strip(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(^|[^:"'`])\/\/[^\n]*/g, "$1").replace(/\s+/g, "");
}
