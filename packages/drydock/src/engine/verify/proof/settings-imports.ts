import type { JudgedTree } from "../judged-tree.ts";
import type { TestInput } from "./test-inputs.ts";

const SCRIPT = /\.[cm]?[jt]sx?$/;
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g;
const ENDINGS = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", "/index.js", "/index.ts", "/index.mjs"];
const MAX_FILES = 50;

/** Modules that the settings of a test runner load: a bundler reads them, so no import of them is observed. */
export async function findSettingsImports(
  inputs: ReadonlyMap<string, TestInput>,
  tree: JudgedTree,
): Promise<[path: string, input: TestInput][]> {
  const found = new Map<string, TestInput>();
  const queue = [...inputs].flatMap(([path, { kind }]) => (kind === "settings" && SCRIPT.test(path) ? [path] : []));
  for (let path = queue.shift(); path !== undefined && found.size < MAX_FILES; path = queue.shift()) {
    const text = (await tree.read(path))?.toString() ?? "";
    for (const match of text.matchAll(SPECIFIER)) {
      const place = resolve(path, match[2] ?? "", tree);
      if (place === null || inputs.has(place) || found.has(place)) continue;
      found.set(place, { kind: "settings", why: `is loaded by ${path}, which configures the tests` });
      if (SCRIPT.test(place)) queue.push(place);
    }
  }
  return [...found];
}

function resolve(from: string, specifier: string, tree: JudgedTree): string | null {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== ".") parts.push(part);
  }
  const stem = parts.join("/");
  // TypeScript's own files are imported by the names that they are built to.
  const stems = [stem, stem.replace(/\.([cm]?)js$/, ".$1ts")];
  const places = stems.flatMap((each) => ENDINGS.map((ending) => `${each}${ending}`));
  return places.find((place) => tree.lookup(place)?.type === "file") ?? null;
}
