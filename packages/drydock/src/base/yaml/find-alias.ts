import { type Document, visit } from "yaml";

/** Where the first alias (`*name`) of a document stands; null where there is none. */
export function findAlias(document: Document.Parsed | undefined): number | null {
  let found: number | null = null;
  if (document)
    visit(document, {
      Alias(_key, node) {
        found = node.range?.[0] ?? 0;
        return visit.BREAK;
      },
    });
  return found;
}
