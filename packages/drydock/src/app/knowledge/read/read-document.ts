import type { DocumentFormat } from "@drydock/protocol";
import type { NewChunk } from "../../../ledger/index.ts";
import type { Extractor } from "../extract/extractor.ts";
import { decodeText } from "./decode-text.ts";
import { divideSections } from "./divide-sections.ts";
import { documentError } from "./document-error.ts";
import { isPdf } from "./find-format.ts";
import { readMarkdown } from "./read-markdown.ts";
import { readTable } from "./read-table.ts";
import type { Section } from "./section.ts";

const MAX_TEXT_CHARS = 10 * 1024 * 1024;

export interface ReadPorts {
  extractor: Extractor;
  /** Removes secrets. Before the text is divided: half of a secret is not found any more. */
  redact(text: string): string;
}

/** The passages of a document. DrydockError where there are none, or it can't be read. */
export async function readDocument(
  { extractor, redact }: ReadPorts,
  format: DocumentFormat,
  content: Buffer,
): Promise<NewChunk[]> {
  if (content.length === 0) throw documentError("The file is empty.", "Write something into it, or leave it out.");
  const sections = await readSections(extractor, redact, format, content);
  const chars = sections.reduce((sum, { text }) => sum + text.length, 0);
  if (chars > MAX_TEXT_CHARS)
    throw documentError(`The document has more than ${MAX_TEXT_CHARS} characters.`, "Divide it into several files.");
  const chunks = divideSections(sections);
  if (chunks.length > 0) return chunks;
  const hint = format === "pdf" ? "Its pages may be pictures: let a program read their text first." : "Leave it out.";
  throw documentError("The document has no text.", hint);
}

async function readSections(
  extractor: Extractor,
  redact: ReadPorts["redact"],
  format: DocumentFormat,
  content: Buffer,
): Promise<Section[]> {
  if (format === "pdf" || format === "html") {
    if (format === "pdf" && !isPdf(content))
      throw documentError(
        "The file is no PDF, whatever its name says.",
        "Give it its right extension, or leave it out.",
      );
    const sections = await extractor.extract(format, content);
    return sections.map((section) => ({ ...section, text: redact(section.text) }));
  }
  const text = redact(decodeText(content));
  if (format === "markdown") return readMarkdown(text);
  if (format === "csv") return readTable(text);
  return [{ text, start: 0, line: 1 }];
}
