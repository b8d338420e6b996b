import { isText } from "../base/text/index.ts";
import type { WorkTree } from "../sandbox/index.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** Null for what is missing, no file, no text, or more than anybody would read. */
export async function readText(tree: Pick<WorkTree, "read" | "lookup">, path: string): Promise<string | null> {
  if ((tree.lookup(path)?.size ?? 0) > MAX_BYTES) return null;
  const bytes = await tree.read(path);
  if (bytes === null || !isText(bytes)) return null;
  return bytes.toString();
}
