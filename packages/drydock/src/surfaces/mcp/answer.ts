import type { ArtifactRef, ErrorInfo } from "@drydock/protocol";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Dock } from "../../app/index.ts";
import { artifactUri } from "./resource-uris.ts";

/** What a tool has to say, before it becomes content blocks. */
export interface ToolAnswer {
  error: ErrorInfo | null;
  /** For programs. */
  value: Record<string, unknown>;
  /** For a model that reads only text. The error is added to it. */
  text: string;
  /** Files of a run: pictures are shown, all others are linked. */
  files?: { runId: string; artifacts: readonly ArtifactRef[] };
}

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_PICTURES = 8;
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
const MAX_PICTURES_BYTES = 12 * 1024 * 1024;
const MAX_LINKS = 50;

export async function renderAnswer(dock: Dock, { error, value, text, files }: ToolAnswer): Promise<CallToolResult> {
  const words = [text, error && `${error.code}: ${error.message}\nHint: ${error.hint}`].filter(Boolean).join("\n");
  return {
    content: [{ type: "text", text: words || "Done." }, ...(files ? await showFiles(dock, files) : [])],
    structuredContent: { ok: error === null, error, ...value },
    ...(error === null ? {} : { isError: true }),
  };
}

async function showFiles(
  dock: Dock,
  { runId, artifacts }: { runId: string; artifacts: readonly ArtifactRef[] },
): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  let pictures = 0;
  let bytes = 0;
  for (const artifact of artifacts.slice(0, MAX_LINKS)) {
    const { id, name, mime, size } = artifact;
    const fits = size <= MAX_PICTURE_BYTES && bytes + size <= MAX_PICTURES_BYTES && pictures < MAX_PICTURES;
    if (PICTURES.has(mime) && fits) {
      pictures++;
      bytes += size;
      const data = Buffer.from(await dock.runs.readArtifact(id)).toString("base64");
      blocks.push({ type: "image", data, mimeType: mime });
    }
    const owner = (await dock.runs.findArtifact(id))?.runId ?? runId;
    blocks.push({ type: "resource_link", uri: artifactUri(owner, id), name, mimeType: mime, size });
  }
  return blocks;
}

/** The beginning and the end of a text that is too long, and how much is missing between them. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, Math.ceil(maxChars / 2)).toWellFormed();
  const tail = text.slice(-Math.floor(maxChars / 2)).toWellFormed();
  return `${head}\n… ${text.length - maxChars} characters left out …\n${tail}`;
}
