import type { WitnessReport } from "../../witness/witness-report.ts";
import type { ImportedName } from "./facts.ts";

const SCRIPT_ENDINGS = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx", ".json"];

export interface ResolveOptions {
  /** The file that imports. */
  by: string;
  reports: readonly WitnessReport[];
  isFile: (path: string) => boolean;
}

/** The file of the tree that an import names, as far as the record and the tree tell. Null: it is none of the tree's. */
export function resolveImport(imported: ImportedName, options: ResolveOptions): string | null {
  return options.by.endsWith(".py") ? resolvePython(imported, options) : resolveScript(imported, options);
}

function resolvePython({ specifier, name }: ImportedName, { by, reports, isFile }: ResolveOptions): string | null {
  const level = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const above = by.split("/").slice(0, -1);
  const inside = specifier.slice(level).split(".").filter(Boolean);
  const searched = reports.flatMap(({ searchPath }) => searchPath).map((each) => each.split("/").filter(Boolean));
  const places = level > 0 ? [above.slice(0, above.length - level + 1)] : [...searched, [], above];
  for (const place of places) {
    const module = [...place, ...inside];
    // `from shop import cart` may mean a module of the package, or a name in it.
    const parts = name === null ? [module] : [[...module, name], module];
    for (const each of parts) {
      const stem = each.join("/");
      const found = [`${stem}.py`, `${stem}/__init__.py`].find(isFile);
      if (found !== undefined) return found;
    }
  }
  return null;
}

function resolveScript({ specifier }: ImportedName, { by, reports, isFile }: ResolveOptions): string | null {
  for (const { modules } of reports) {
    const seen = modules.find((each) => each.language === "node" && each.by === by && each.name === specifier);
    if (seen) return seen.outside ? null : seen.found;
  }
  const stem = specifier.startsWith(".") ? joinPath(by, specifier) : null;
  if (stem !== null) {
    const bare = stem.replace(/\.[cm]?jsx?$/, "");
    const stems = [stem, `${stem}/index`, bare];
    return stems.flatMap((each) => SCRIPT_ENDINGS.map((ending) => `${each}${ending}`)).find(isFile) ?? null;
  }
  // A name that settings map to a path: by how it ends, among what the file is known to load.
  const last = withoutEnding(specifier.replace(/^[@~#][^/]*\//, ""));
  const loaded = reports.flatMap(({ files }) =>
    files.filter((each) => each.by === by && each.how === "import").map(({ path }) => path),
  );
  return loaded.find((path) => `/${withoutEnding(path)}`.endsWith(`/${last}`)) ?? null;
}

function withoutEnding(path: string): string {
  return path.replace(/(\/index)?\.[cm]?[jt]sx?$/, "");
}

function joinPath(by: string, relative: string): string | null {
  const parts = by.split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
