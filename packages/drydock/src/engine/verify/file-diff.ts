import { cutText, isText } from "../../base/text/index.ts";
import type { JudgedTree } from "./judged-tree.ts";

const MAX_BYTES = 256 * 1024;
const MAX_DIFF_CHARS = 2000;
/** Comparing takes the square of what differs. */
const MAX_EDIT_LENGTH = 1000;

/** How one file differs between two trees, shortened; empty where that is no text. */
export async function diffFile(before: JudgedTree, tree: JudgedTree, path: string): Promise<string> {
  const [was, is] = await Promise.all([readText(before, path), readText(tree, path)]);
  if (was === null || is === null) return "";
  const { createTwoFilesPatch } = await import("diff");
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, was, is, undefined, undefined, {
    context: 2,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  if (patch === undefined) return `${path} differs in more than ${MAX_EDIT_LENGTH} lines.\n`;
  return cutText(patch, MAX_DIFF_CHARS, "…\n");
}

/** Empty for what is not there; null for what is no short text. */
async function readText(tree: JudgedTree, path: string): Promise<string | null> {
  const entry = tree.lookup(path);
  if (!entry) return "";
  if (entry.type !== "file" || (entry.size ?? 0) > MAX_BYTES) return null;
  const bytes = await tree.read(path);
  return bytes && isText(bytes) ? bytes.toString() : null;
}
