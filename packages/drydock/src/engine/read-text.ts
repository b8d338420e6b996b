import { isUtf8 } from "node:buffer";
import type { WorkTree } from "../sandbox/index.ts";

/** Null for what is missing, no file, or no text. */
export async function readText(tree: Pick<WorkTree, "read">, path: string): Promise<string | null> {
  const bytes = await tree.read(path);
  if (bytes === null || !isUtf8(bytes) || bytes.includes(0)) return null;
  return bytes.toString();
}
