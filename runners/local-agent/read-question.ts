import { ApiError, type HostApi, type Message, type RunInput, type RunnerContext } from "@drydock/runner-sdk";
import { cutText } from "./count-tokens.ts";

type Part = Exclude<NonNullable<Message["content"]>, string>[number];

const MAX_FILE_BYTES = 200_000;
const MAX_FILE_CHARS = 20_000;
const MAX_DATA_CHARS = 4000;
const IS_TEXT = /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|sql)\b)/;

/** What the user says, or what happened where the event is no message. */
export function textOf(ctx: RunnerContext): string {
  const { event, input } = ctx;
  if (event.event_type === "message.received") return saidIn(input);
  const data = cutText(JSON.stringify(event.data), MAX_DATA_CHARS);
  return [`An event: ${event.event_type}`, saidIn(input), data === "{}" ? "" : data].filter(Boolean).join("\n\n");
}

function saidIn({ text, contents }: RunInput): string {
  return text ?? contents.map((part) => (part.type === "text" ? String(part.text) : "")).join("");
}

/** The message for the model: passages first, then what is asked, with its pictures as they came. */
export async function readQuestion(ctx: RunnerContext, api: HostApi, passages: string): Promise<Message> {
  const { texts, others } = await readFiles(ctx, api, ctx.input.contents);
  const text = [passages, ...texts, textOf(ctx)].filter(Boolean).join("\n\n");
  return { role: "user", content: others.length === 0 ? text : [...others, { type: "text", text }] };
}

/** A message that came during the run. */
export function toSteered(input: RunInput): Message {
  const others = input.contents.filter(({ type }) => type !== "text");
  const text = saidIn(input);
  return { role: "user", content: others.length === 0 ? text : [...others, { type: "text", text }] };
}

/** Files with text become text; pictures stay what they are. */
async function readFiles(ctx: RunnerContext, api: HostApi, contents: readonly Part[]) {
  const texts: string[] = [];
  const others: Part[] = [];
  for (const part of contents) {
    if (part.type === "text") continue;
    const id = "artifact_id" in part ? part.artifact_id : null;
    const found = ctx.input.attachments.find(({ artifact_id }) => artifact_id === id);
    const isText = found && IS_TEXT.test(found.mime_type ?? "") && ctx.context.available_apis.artifact_read;
    const text = isText ? await readFile(ctx, api, found.artifact_id) : null;
    if (text === null) others.push(part);
    else texts.push(`The file ${JSON.stringify(found?.name ?? "")}:\n\n${cutText(text, MAX_FILE_CHARS)}`);
  }
  return { texts, others };
}

async function readFile(ctx: RunnerContext, api: HostApi, artifact_id: string): Promise<string | null> {
  try {
    const { content_base64 } = await api.artifact_read({ artifact_id, limit: MAX_FILE_BYTES });
    return Buffer.from(content_base64 ?? "", "base64").toString("utf8");
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === "deadline_exceeded") throw error;
    ctx.log(`A file was not read: ${error.message}`, "warning");
    return null;
  }
}
