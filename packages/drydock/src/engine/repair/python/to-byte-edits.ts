import { applySplices } from "../../source/splice.ts";
import type { JudgedTree } from "../../verify/judged-tree.ts";
import type { Candidate } from "../workshop.ts";

/** Candidates as the program in the sandbox takes them: offsets in bytes, since it does not decode files. */
export async function toByteEdits(tree: JudgedTree, candidates: readonly Candidate[]) {
  const texts = new Map<string, string>();
  const read = async (path: string) => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const text = (await tree.read(path))?.toString() ?? "";
    texts.set(path, text);
    return text;
  };
  const sent: { id: number; edits: [string, number, number, string][] }[] = [];
  for (const { id, edits } of candidates) {
    const now = new Map<string, string>();
    const converted: [string, number, number, string][] = [];
    for (const edit of edits) {
      const { path, start, end, replacement } = edit;
      const text = now.get(path) ?? (await read(path));
      const from = Buffer.byteLength(text.slice(0, start));
      converted.push([path, from, from + Buffer.byteLength(text.slice(start, end)), replacement]);
      if (edits.length > 1) now.set(path, applySplices(text, [edit]));
    }
    sent.push({ id, edits: converted });
  }
  return sent;
}
