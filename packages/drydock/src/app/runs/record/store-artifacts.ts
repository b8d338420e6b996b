import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { ArtifactRef } from "@drydock/protocol";
import type { Ledger } from "../../../ledger/index.ts";
import type { Outcome } from "../../../sandbox/index.ts";
import { INLINE_OUTPUT_CHARS } from "./record-output.ts";

const MB = 1024 * 1024;
const MAX_FILE_ARTIFACTS = 64;
export const MAX_ARTIFACT_BYTES = 64 * MB;
const MIME: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".csv": "text/csv",
  ".html": "text/html",
  ".md": "text/markdown",
  ".txt": "text/plain",
  ".py": "text/x-python",
};

/** Stores the files that a run wrote and the figures it drew, and output that is too long or no text. */
export async function storeArtifacts(
  ledger: Ledger,
  runId: string,
  { layer, contents, figures, ...output }: Outcome,
): Promise<ArtifactRef[]> {
  const stored: ArtifactRef[] = [];
  const keep = async (content: Buffer, name: string, mime: string) => {
    stored.push(await ledger.artifacts.put(content, { runId, name, mime }));
  };
  for (const [name, bytes] of [
    ["stdout", output.stdout],
    ["stderr", output.stderr],
  ] as const) {
    // One byte that is no text must not carry the secrets around it past the redaction: each byte is a character here.
    if (!isUtf8(bytes)) {
      const clean = Buffer.from(ledger.redact(bytes.toString("latin1")), "latin1");
      await keep(clean, `${name}.bin`, "application/octet-stream");
    } else if (bytes.length > INLINE_OUTPUT_CHARS) await keep(bytes, `${name}.txt`, "text/plain");
  }
  const files = layer.entries.filter(
    (entry) =>
      entry.type === "file" && entry.kind !== "deleted" && entry.sha256 && (entry.size ?? 0) <= MAX_ARTIFACT_BYTES,
  );
  for (const entry of files.slice(0, MAX_FILE_ARTIFACTS)) {
    const content = contents.get(entry.sha256 ?? "");
    if (content === undefined) continue;
    await keep(typeof content === "string" ? await readFile(content) : content, entry.path, mimeOf(entry.path));
  }
  // A figure that the code saved itself comes back as that file.
  const savedPicture = files.some((entry) => mimeOf(entry.path).startsWith("image/") || entry.path.endsWith(".pdf"));
  if (!savedPicture) for (const figure of figures) await keep(figure.bytes, figure.name, "image/png");
  return stored;
}

function mimeOf(path: string): string {
  return MIME[extname(basename(path)).toLowerCase()] ?? "application/octet-stream";
}
