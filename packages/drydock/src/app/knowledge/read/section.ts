import type { KnowledgePosition } from "@drydock/protocol";

/** A part of a document's text that has one place: below one heading, on one page, or some rows of a table. */
export interface Section extends Omit<KnowledgePosition, "end"> {
  text: string;
}

/** Parts without offsets, in order, as sections of one text. */
export function placeSections(parts: readonly Omit<Section, "start">[]): Section[] {
  let start = 0;
  return parts.map((part) => {
    const section = { ...part, start };
    start += part.text.length + 2;
    return section;
  });
}
