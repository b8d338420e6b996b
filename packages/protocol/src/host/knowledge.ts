import * as z from "zod";
import { ErrorInfo } from "../errors/errors.ts";

export const KnowledgeName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, "a name has small letters, digits and dashes, and begins with a letter");

export const DOCUMENT_FORMATS = ["text", "markdown", "html", "pdf", "csv"] as const;
export const DocumentFormat = z.enum(DOCUMENT_FORMATS);
export type DocumentFormat = z.infer<typeof DocumentFormat>;

/** Where a passage stands in its document. */
export const KnowledgePosition = z.strictObject({
  start: z.number().int().describe("First character of the passage in the text of the document, from 0."),
  end: z.number().int().describe("Character after the last one."),
  line: z.number().int().optional().describe("Line on which it begins, from 1. Not in HTML and PDF."),
  heading: z.string().optional().describe("Headings above it, from the outermost to the innermost."),
  page: z.number().int().optional().describe("Page of a PDF, from 1."),
  rows: z.tuple([z.number().int(), z.number().int()]).optional().describe("First and last row of a table, from 1."),
});
export type KnowledgePosition = z.infer<typeof KnowledgePosition>;

/** A set of documents that can be searched. */
export const KnowledgeBase = z.strictObject({
  id: z.string().describe("Id of the knowledge base, `kb_…`."),
  name: z.string().describe("Name of the knowledge base."),
  documents: z.number().int().describe("Documents that can be searched."),
  chunks: z.number().int().describe("Passages that the documents were divided into."),
  failed: z.number().int().describe("Files that could not be read."),
  embedding: z.string().nullable().describe("Model of its vectors. Null: it is searched by words only."),
  createdAt: z.string().describe("Time of its creation, as ISO 8601."),
  changedAt: z.string().describe("Time of the last change of a document, as ISO 8601."),
});
export type KnowledgeBase = z.infer<typeof KnowledgeBase>;

export const KnowledgeDocument = z.strictObject({
  source: z.string().describe("Name of the document in its knowledge base: the folder's name and the path in it."),
  format: DocumentFormat.describe("How the document was read."),
  bytes: z.number().int().describe("Size of the file."),
  sha256: z.string().describe("Hash of the file."),
  chunks: z.number().int().describe("Passages that it was divided into."),
  problem: ErrorInfo.nullable().describe("Why it can't be searched. Null if it can."),
  ingestedAt: z.string().describe("Time at which it was read, as ISO 8601."),
});
export type KnowledgeDocument = z.infer<typeof KnowledgeDocument>;

/** A file or folder that was added. */
export const KnowledgeRoot = z.strictObject({
  name: z.string().describe("First part of the names of its documents."),
  path: z.string().describe("Path of the file or folder on this machine."),
});
export type KnowledgeRoot = z.infer<typeof KnowledgeRoot>;

/** Unlike the base itself, it names paths of this machine: for the owner, never for runners. */
export const KnowledgeBaseDetail = KnowledgeBase.extend({
  roots: z.array(KnowledgeRoot).describe("Files and folders that were added."),
  items: z.array(KnowledgeDocument).describe("Documents, by name; those that could not be read first."),
});
export type KnowledgeBaseDetail = z.infer<typeof KnowledgeBaseDetail>;

export const KNOWLEDGE_LIMITS = { results: 100, queryChars: 2000, filterItems: 50 } as const;

const names = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1).max(KNOWLEDGE_LIMITS.filterItems)]);

/** Which documents a search looks at. */
export const KnowledgeFilters = z.strictObject({
  source: names(z.string().min(1).max(1000))
    .optional()
    .describe("Only documents whose name begins with this text, or with one of these."),
  format: names(DocumentFormat).optional().describe("Only documents of this format, or of one of these."),
});
export type KnowledgeFilters = z.infer<typeof KnowledgeFilters>;

/** A passage that a search found. */
export const KnowledgeHit = z.strictObject({
  source: z.string().describe("Name of the document."),
  position: KnowledgePosition.describe("Where the passage stands in the document."),
  score: z.number().describe("The higher the better. Comparable within one search only."),
  snippet: z.string().describe("The part of the passage around the words of the query."),
  text: z.string().describe("The whole passage."),
});
export type KnowledgeHit = z.infer<typeof KnowledgeHit>;

export const KnowledgeResult = z.strictObject({
  hits: z.array(KnowledgeHit).describe("Passages, the best first."),
  ranking: z
    .array(z.enum(["words", "vectors", "rerank"]))
    .describe("What decided the order: full-text search, vectors of an embedding model, a rerank model."),
  warnings: z.array(z.string()).describe("What could not be used, such as a model that did not answer."),
});
export type KnowledgeResult = z.infer<typeof KnowledgeResult>;

export const IngestFailure = z.strictObject({
  source: z.string().describe("Name of the document, or the path where it has none."),
  error: ErrorInfo.describe("Why it could not be read."),
});
export type IngestFailure = z.infer<typeof IngestFailure>;

/** What an ingest changed. */
export const IngestReport = z.strictObject({
  name: z.string().describe("Name of the knowledge base."),
  added: z.number().int().describe("Documents that are new."),
  changed: z.number().int().describe("Documents whose content has changed."),
  unchanged: z.number().int().describe("Documents that were left as they are."),
  removed: z.number().int().describe("Documents whose files are gone."),
  skipped: z.number().int().describe("Files of a folder that are no documents, are hidden, or are links."),
  failed: z.number().int().describe("Files that could not be read."),
  failures: z.array(IngestFailure).describe("The first 100 of them, with the reasons."),
  warnings: z.array(z.string()).describe("What could not be done, such as vectors of a model that did not answer."),
});
export type IngestReport = z.infer<typeof IngestReport>;
