import { readFileSync } from "node:fs";
import { join } from "node:path";

const PRODUCT = "packages/drydock/src";

/** A section of docs/contributing.md. */
export interface Recipe {
  title: string;
  /** How many files the heading says that it names. */
  count: number;
  files: string[];
}

/** Paths in code, relative to the repository. Without a package, a test or a document in front they are the product's. */
function findPaths(text: string): string[] {
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g)].map((match) => match[1] ?? "");
  return [...new Set(named)].map((path) => (/^(packages|test|docs)\//.test(path) ? path : `${PRODUCT}/${path}`));
}

export function readRecipes(text: string): Recipe[] {
  const [, ...sections] = text.split(/^## /m);
  return sections.map((section) => {
    const [, title = "", count = "0"] = /^(.+?) \((\d+) files\)$/m.exec(section) ?? [];
    return { title, count: Number(count), files: findPaths(section) };
  });
}

/** The files that the page names for one kind of addition. */
export function filesOfRecipe(title: string): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/contributing.md"), "utf8");
  return readRecipes(page).find((recipe) => recipe.title === title)?.files ?? [];
}
