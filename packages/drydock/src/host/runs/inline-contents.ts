import { hash } from "node:crypto";
import { basename } from "node:path";
import { DrydockError, HOST_LIMITS, type HostEvent } from "@drydock/protocol";
import type { ContentPart, Message, RunInput } from "@drydock/protocol/runner";
import { cutText, isMediaType } from "../../base/text/index.ts";
import type { RunRecord } from "../ports.ts";

/** Bytes that a part of a message carried itself, or that came beside the event. */
export interface InlineContent {
  bytes: Buffer;
  mime: string;
  name?: string;
}

/** A file beside an event. It becomes an artifact of the run that answers it. */
export interface EventFile {
  name: string;
  mime: string;
  bytes: Uint8Array;
}

type Artifact = RunInput["attachments"][number];

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w.+=%-]+)*);base64,([A-Za-z0-9+/]*={0,2})$/;
/** A parameter that names the file, such as `data:text/csv;name=sales%202026.csv;base64,…`. */
const NAME = /;name=([^;]+)/;
const REDACTED = "inline";
const UNKNOWN_TYPE = "application/octet-stream";
const MAX_NAME_CHARS = 200;

function readInline(part: ContentPart): InlineContent | null {
  const url = part.type === "image_url" ? Object(part.image_url).url : null;
  const [, mime = UNKNOWN_TYPE, parameters = "", base64] = DATA_URL.exec(String(url)) ?? [];
  if (base64 === undefined) return null;
  const name = readName(parameters);
  return { bytes: Buffer.from(base64, "base64"), mime, ...(name !== null && { name }) };
}

/** Null where it names none, or writes it wrongly. */
function readName(parameters: string): string | null {
  const [, written] = NAME.exec(parameters) ?? [];
  try {
    return written === undefined ? null : plainName(decodeURIComponent(written));
  } catch {
    return null;
  }
}

function plainName(name: string): string {
  return cutText(basename(name.replaceAll("\\", "/")).replaceAll(/\p{C}/gu, ""), MAX_NAME_CHARS) || "file";
}

function readFile({ name, mime, bytes }: EventFile): InlineContent {
  if (bytes.byteLength > HOST_LIMITS.fileBytes) throw fileTooLarge(bytes.byteLength);
  return { name: plainName(name), mime: isMediaType(mime) ? mime : UNKNOWN_TYPE, bytes: Buffer.from(bytes) };
}

/** Takes contents out of an event before it is written down. What is left in their place says what they were. */
export function takeInline(
  event: HostEvent,
  files: readonly EventFile[] = [],
): { event: HostEvent; inline: InlineContent[] } {
  if (files.length > HOST_LIMITS.files) throw tooManyFiles(files.length);
  const inline: InlineContent[] = [];
  const take = (found: InlineContent): ContentPart => {
    const sha256 = hash("sha256", found.bytes);
    const facts = { mime_type: found.mime, size_bytes: found.bytes.length, sha256, content_redacted: true };
    return { type: REDACTED, index: inline.push(found) - 1, ...(found.name && { name: found.name }), ...facts };
  };
  const contents = event.input.contents.map((part): ContentPart => {
    const found = readInline(part);
    return found ? take(found) : part;
  });
  contents.push(...files.map(readFile).map(take));
  return { event: inline.length === 0 ? event : { ...event, input: { ...event.input, contents } }, inline };
}

/** Puts contents that were taken out of an event into the run that answers it. */
export async function storeTaken(
  record: Pick<RunRecord, "storeArtifact">,
  event: HostEvent,
  inline: readonly InlineContent[],
): Promise<{ event: HostEvent; attachments: Artifact[] }> {
  if (inline.length === 0) return { event, attachments: [] };
  const attachments: Artifact[] = [];
  for (const content of inline) attachments.push(await store(record, content, `attachment-${attachments.length + 1}`));
  const contents = event.input.contents.map((part): ContentPart => {
    const artifact = part.type === REDACTED && "index" in part ? attachments[Number(part.index)] : undefined;
    return artifact ? toFilePart(artifact) : part;
  });
  return { event: { ...event, input: { ...event.input, contents } }, attachments };
}

/** Contents that a runner's message carries become artifacts of its run: base64 is in no event and no transcript. */
export async function storeInline(
  record: Pick<RunRecord, "storeArtifact">,
  message: Message,
): Promise<{ message: Message; stored: Artifact[] }> {
  if (!Array.isArray(message.content)) return { message, stored: [] };
  const stored: Artifact[] = [];
  const content: ContentPart[] = [];
  for (const part of message.content) {
    const found = readInline(part);
    if (!found) content.push(part);
    else {
      const artifact = await store(record, found, `picture-${stored.length + 1}`);
      stored.push(artifact);
      content.push(toFilePart(artifact));
    }
  }
  return { message: { ...message, content }, stored };
}

async function store(
  record: Pick<RunRecord, "storeArtifact">,
  { bytes, mime, name: own }: InlineContent,
  otherwise: string,
): Promise<Artifact> {
  const name = own ?? otherwise;
  const artifact_id = await record.storeArtifact(bytes, { name, mime });
  const artifact_type = own === undefined || mime.startsWith("image/") ? "image" : "file";
  return { artifact_id, artifact_type, name, mime_type: mime, size_bytes: bytes.length };
}

function fileTooLarge(bytes: number): DrydockError {
  const { fileBytes } = HOST_LIMITS;
  const message = `A file of the event has ${bytes} bytes; the most is ${fileBytes}.`;
  return new DrydockError("input.invalid", message, "Leave it out, or send its address.", {
    bytes,
    maxBytes: fileBytes,
  });
}

function tooManyFiles(count: number): DrydockError {
  const message = `The event has ${count} files; the most is ${HOST_LIMITS.files}.`;
  return new DrydockError("input.invalid", message, "Send several events.", { count });
}

function toFilePart({ artifact_id, name }: Artifact): ContentPart {
  return { type: "file", artifact_id, name: name ?? "" };
}
