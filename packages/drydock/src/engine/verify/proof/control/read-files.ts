import type { TestFile } from "../../../mutate/index.ts";
import type { JudgedTree } from "../../judged-tree.ts";

export const MAX_FILES = 200;
const MAX_FILE_BYTES = 512 * 1024;

export async function readTexts(tree: JudgedTree, paths: readonly string[]): Promise<TestFile[]> {
  const files: TestFile[] = [];
  for (const path of new Set(paths)) {
    if (files.length >= MAX_FILES) break;
    const content = await readSmall(tree, path);
    if (content) files.push({ path, text: content.toString() });
  }
  return files;
}

export async function readSmall(tree: JudgedTree, path: string): Promise<Buffer | null> {
  const entry = tree.lookup(path);
  if (entry?.type !== "file" || (entry.size ?? 0) > MAX_FILE_BYTES) return null;
  return tree.read(path);
}
