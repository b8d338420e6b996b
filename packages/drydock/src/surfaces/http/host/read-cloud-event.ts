import { createHash } from "node:crypto";
import { CloudEvent, explainIssues, HostEvent } from "@drydock/protocol";
import { HttpProblem } from "../guard/http-problem.ts";
import { parseBody } from "../route/read-body.ts";

const STRUCTURED = /^application\/cloudevents\+json *(?:;|$)/i;
const OTHER_STRUCTURED = /^application\/cloudevents(?:-batch)?(?:\+[\w.-]+)? *(?:;|$)/i;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json *(?:;|$)/i;
const TEXT_TYPE = /^text\//i;
const HEADER = "ce-";
const MAX_ID_CHARS = 255;

/** Attributes of extensions that name what CloudEvents has no words for. */
const EXTENSIONS = {
  conversationid: "conversation_id",
  threadid: "thread_id",
  botid: "bot_id",
  workspaceid: "workspace_id",
} as const;

/** Whether a request is a CloudEvent, by its type (structured mode) or its headers (binary mode). */
export function isCloudEvent(headers: Headers): boolean {
  return OTHER_STRUCTURED.test(headers.get("content-type") ?? "") || headers.has(`${HEADER}specversion`);
}

/** The event that a CloudEvent stands for, in our shape. */
export function readCloudEvent(headers: Headers, bytes: Uint8Array): unknown {
  const type = headers.get("content-type") ?? "";
  if (STRUCTURED.test(type)) return toHostEvent(check(parseBody(bytes).value));
  if (OTHER_STRUCTURED.test(type)) {
    const message = `CloudEvents as ${type} can't be read.`;
    const hint = "Send one event as application/cloudevents+json, or in binary mode with ce- headers.";
    throw new HttpProblem(415, { message, hint });
  }
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of headers)
    if (name.startsWith(HEADER)) attributes[name.slice(HEADER.length)] = decodeHeader(value);
  if (type !== "") attributes.datacontenttype = type;
  if (bytes.byteLength > 0) Object.assign(attributes, readData(type, bytes));
  return toHostEvent(check(attributes));
}

function readData(type: string, bytes: Uint8Array): Pick<CloudEvent, "data" | "data_base64"> {
  if (type === "" || JSON_TYPE.test(type)) return { data: parseBody(bytes).value };
  if (TEXT_TYPE.test(type)) return { data: new TextDecoder().decode(bytes) };
  return { data_base64: Buffer.from(bytes).toString("base64") };
}

/** Values of headers are percent-encoded where they hold other characters. */
function decodeHeader(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function check(value: unknown): CloudEvent {
  const read = CloudEvent.safeParse(value);
  if (read.success) return read.data;
  const problems = explainIssues(read.error.issues.slice(0, 5), "the CloudEvent");
  throw new HttpProblem(400, {
    message: `The CloudEvent can't be read: ${problems.join("; ")}.`,
    hint: "CloudEvents 1.0 needs specversion, id, source and type.",
    data: { problems },
  });
}

function toHostEvent(event: CloudEvent): unknown {
  const { specversion, id, source, type, subject, time, datacontenttype, dataschema, data, data_base64, ...more } =
    event;
  const isName = HostEvent.shape.type.safeParse(type).success;
  const conversation = Object.fromEntries(
    Object.entries(EXTENSIONS).flatMap(([name, field]) => (name in more ? [[field, String(more[name])]] : [])),
  );
  const text = typeof data === "string" ? data : (Object(data) as { text?: unknown }).text;
  return {
    type: isName ? type : "webhook.received",
    source: "api",
    // Both together name the event: ids of two sources may be the same.
    source_event_id: fit(`${source} ${id}`),
    source_event_type: fit(type),
    ...(time !== undefined && { time: Date.parse(time) / 1000 }),
    ...(subject !== undefined && { subject: { subject_type: "cloudevent", subject_id: subject } }),
    ...(Object.keys(conversation).length > 0 && { conversation }),
    ...("actorid" in more && { actor: { actor_type: "user", actor_id: String(more.actorid) } }),
    ...(typeof text === "string" && { input: { text } }),
    data: {
      cloudevent: { specversion, id, source, type, subject, time, datacontenttype, dataschema, ...more },
      ...(data !== undefined && { data }),
      ...(data_base64 !== undefined && { data_base64 }),
    },
  };
}

function fit(text: string): string {
  return text.length <= MAX_ID_CHARS ? text : createHash("sha256").update(text).digest("hex");
}
