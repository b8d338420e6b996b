import type { WorkTree } from "../../sandbox/index.ts";
import { nameFile } from "../prompts/name-file.ts";
import { readText } from "../read-text.ts";

const MAX_PATHS = 400;
const MAX_FILES_SHOWN = 6;
const MAX_FILE_CHARS = 3000;
/** What tells most about a project, first. */
const TELLING = [/^readme(\.\w+)?$/i, /^(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|Makefile)$/, /^AGENTS\.md$/];

/** Summary of a workspace for the planner, with a maximum size. */
export async function summarizeWorkspace(tree: WorkTree): Promise<string> {
  const sizes = new Map(tree.files().map(({ path, size }) => [path, size]));
  const files = [...sizes.keys()];
  const shown = files.length > MAX_PATHS ? spread(files) : files;
  const lines = [`${files.length} files${shown.length < files.length ? `, of which ${shown.length} are listed` : ""}:`];
  for (const path of shown) lines.push(`  ${nameFile(path)} (${sizes.get(path)} bytes)`);
  const telling = TELLING.flatMap((pattern) => files.filter((path) => pattern.test(path))).slice(0, MAX_FILES_SHOWN);
  for (const path of telling) {
    const text = await readText(tree, path);
    if (text !== null) lines.push("", `--- ${nameFile(path)}`, text.slice(0, MAX_FILE_CHARS));
  }
  return lines.join("\n");
}

/** Files near the top first, and of each directory the first few: a deep directory must not hide all others. */
function spread(files: readonly string[]): string[] {
  const perDirectory = new Map<string, number>();
  const depth = (path: string) => path.split("/").length;
  const kept: string[] = [];
  for (const path of files.toSorted((a, b) => depth(a) - depth(b))) {
    const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const count = perDirectory.get(directory) ?? 0;
    perDirectory.set(directory, count + 1);
    if (count < 20) kept.push(path);
    if (kept.length >= MAX_PATHS) break;
  }
  return kept;
}
