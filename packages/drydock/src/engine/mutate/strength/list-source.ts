import { isUtf8 } from "node:buffer";
import { isTestConfiguration, isTestFile } from "../../verify/implied/test-files.ts";
import type { JudgedTree } from "../../verify/judged-tree.ts";
import type { EditedFile } from "../edit.ts";
import { isMutable } from "../list-mutants.ts";
import { findChangedLines } from "./changed-lines.ts";

/** An earlier state of the same directory. */
export interface EarlierState {
  /** Null: the file was not there, or can't be read. */
  read(path: string): Promise<Buffer | null>;
  /** What the file was by its hash: one that is the same is not read. */
  lookup?(path: string): { sha256?: string } | undefined;
  /** Whether the file was just this; without it, `read` tells. */
  isSame?(path: string, content: Buffer): boolean;
}

const MAX_BYTES = 256 * 1024;
const BUILT = /(^|\/)(dist|build|coverage|vendor|third_party|__pycache__|\.[^/]+)\/|\.min\.[cm]?js$|(^|\/)setup\.py$/;
const CONFIGURATION = /(^|\/)[\w.-]*\.?config\.[cm]?[jt]s$|(^|\/)\.[^/]+$/;

/** The source of a tree that can be mutated: no tests, no configuration, nothing built or installed. */
export async function listSource(tree: JudgedTree, before: EarlierState | null): Promise<EditedFile[]> {
  const files: EditedFile[] = [];
  for (const path of tree.paths()) {
    const entry = tree.lookup(path);
    if (entry?.type !== "file" || (entry.size ?? 0) > MAX_BYTES || !isSource(path)) continue;
    if (entry.sha256 !== undefined && before?.lookup?.(path)?.sha256 === entry.sha256) continue;
    const content = await tree.read(path);
    if (!content || !isUtf8(content) || before?.isSame?.(path, content)) continue;
    const text = content.toString();
    const lines = before && findChangedLines((await before.read(path))?.toString() ?? null, text);
    if (lines === null || lines.length > 0) files.push({ path, text, lines });
  }
  return files;
}

/** Whether a path is one of what tools make: built, bundled, vendored. */
export function isBuilt(path: string): boolean {
  return BUILT.test(path);
}

export function isSource(path: string): boolean {
  return (
    isMutable(path) && !isTestFile(path) && !isTestConfiguration(path) && !isBuilt(path) && !CONFIGURATION.test(path)
  );
}
