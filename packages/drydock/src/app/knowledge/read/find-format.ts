import { extname } from "node:path";
import type { DocumentFormat } from "@drydock/protocol";

const EXTENSIONS: Readonly<Record<DocumentFormat, readonly string[]>> = {
  markdown: [".md", ".markdown", ".mdx"],
  html: [".html", ".htm", ".xhtml"],
  pdf: [".pdf"],
  csv: [".csv", ".tsv"],
  text: [".txt", ".text", ".log", ".rst", ".adoc", ".org", ".tex", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini"],
};

/** By the name of the file; null where it says nothing. */
export function findFormat(path: string): DocumentFormat | null {
  const extension = extname(path).toLowerCase();
  const found = Object.entries(EXTENSIONS).find(([, extensions]) => extensions.includes(extension));
  return found ? (found[0] as DocumentFormat) : null;
}

/** By the content, for a file that somebody named whose name says nothing. */
export function guessFormat(content: Buffer): DocumentFormat {
  return isPdf(content) ? "pdf" : "text";
}

const PDF_MARK = "%PDF-";
const MARK_WITHIN = 1024;

export function isPdf(content: Buffer): boolean {
  return content.subarray(0, MARK_WITHIN).includes(PDF_MARK);
}
