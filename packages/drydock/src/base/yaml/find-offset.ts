import type { Document } from "yaml";

/** Where a path stands in the text: its key, or its entry in a list; else what is nearest above it. Null where nothing is. */
export function findOffset(document: Document.Parsed | undefined, path: readonly PropertyKey[]): number | null {
  let node: unknown = document?.contents;
  let offset: number | null = null;
  for (const step of path) {
    const items: unknown = Object(node).items;
    if (!Array.isArray(items)) break;
    const item: unknown = typeof step === "number" ? items[step] : items.find((pair) => keyOf(pair) === step);
    if (item === undefined) break;
    offset = startOf(typeof step === "number" ? item : Object(item).key) ?? offset;
    node = typeof step === "number" ? item : Object(item).value;
  }
  return offset;
}

/** Where a node of the document starts. */
export function startOf(node: unknown): number | null {
  const range: unknown = Object(node).range;
  return Array.isArray(range) ? Number(range[0]) : null;
}

function keyOf(pair: unknown): unknown {
  return Object(Object(pair).key).value;
}
