import { join } from "node:path";

/** Where the build has put the program that reads HTML and PDF: beside the bundle, which the sources use as well. */
export const EXTRACTOR_DIRECTORY = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "..", "dist", "document-extractor")
  : join(import.meta.dirname, "document-extractor");
