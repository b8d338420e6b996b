import type { ModelPicture } from "@drydock/protocol";
import type { ContentPart, Message } from "@drydock/protocol/runner";
import type { RunRecord } from "../../host/index.ts";

/** What all providers read. */
const FORMATS = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const DATA_URL = /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/;

type Artifacts = Pick<RunRecord, "readArtifact">;

/**
 * The pictures of a message, for a model. A part of the type `file` names an artifact of the run itself; of another run none
 * is read. What is no picture, or can't be read, is a note in its place. No address is fetched.
 */
export async function readPictures(
  record: Artifacts,
  { content }: Message,
): Promise<{ pictures: ModelPicture[]; notes: string[] }> {
  const pictures: ModelPicture[] = [];
  const notes: string[] = [];
  for (const part of Array.isArray(content) ? content : []) {
    if (part.type === "text") continue;
    const found = await readPart(record, part);
    if (typeof found === "string") notes.push(found);
    else pictures.push(found);
  }
  return { pictures, notes };
}

async function readPart(record: Artifacts, part: ContentPart): Promise<ModelPicture | string> {
  if (part.type === "image_url") {
    const [, mime = "", base64 = ""] = DATA_URL.exec(String(Object(part.image_url).url)) ?? [];
    return FORMATS.includes(mime) ? { mime, base64 } : "[A picture that can't be shown here.]";
  }
  if (part.type !== "file" || typeof part.artifact_id !== "string") return "[A part that can't be shown here.]";
  const facts = await record.readArtifact(part.artifact_id);
  if (!facts) return "[A file that can't be read here.]";
  const { name, mime, size } = facts;
  if (!FORMATS.includes(mime)) return `[The file ${JSON.stringify(name)}: ${mime}, ${size} bytes.]`;
  const { content } = (await record.readArtifact(part.artifact_id, { start: 0, end: size })) ?? facts;
  return { mime, base64: content.toString("base64") };
}
