/**
 * Reads HTML and PDF inside the sandbox. It is one file that needs no package, because nothing else is there. Each request is
 * a line of JSON and a line of base64; each answer is a line of JSON.
 */
import { createInterface } from "node:readline";
import { readHtml } from "./read-html.ts";
import { readPdf } from "./read-pdf.ts";

interface Request {
  id: number;
  format: "html" | "pdf";
}

const READERS = { html: readHtml, pdf: readPdf };
let request: Request | null = null;

for await (const line of createInterface({ input: process.stdin })) {
  if (request === null) {
    request = JSON.parse(line) as Request;
    continue;
  }
  const { id, format } = request;
  request = null;
  const answer = await READERS[format](Buffer.from(line, "base64")).then(
    (parts) => ({ id, parts }),
    (error: unknown) => ({ id, reason: error instanceof Error ? error.message : String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
