import { randomUUID } from "node:crypto";
import * as z from "zod";
import { filterCellText } from "../terminal/filter-output.ts";

/** The version of Jupyter's messaging that is spoken. */
export const PROTOCOL_VERSION = "5.3";

const fields = z.record(z.string(), z.unknown());

/** A message of Jupyter's as `wire.py` hands it over: its signature checked, the sender's address as base64. */
export const Request = z.object({
  channel: z.enum(["shell", "control", "stdin"]),
  identities: z.array(z.string()),
  header: z.looseObject({ msg_id: z.string(), msg_type: z.string() }),
  content: fields,
});
export type Request = z.infer<typeof Request>;

export interface KernelMessage {
  channel: "shell" | "control" | "stdin" | "iopub";
  identities: string[];
  header: Record<string, string>;
  parent_header: Record<string, unknown>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
}

/** Every text of an answer may be the work of code, and some frontends are terminals. The names of fields are ours. */
function cleanStrings(value: unknown): unknown {
  if (typeof value === "string") return filterCellText(value);
  if (Array.isArray(value)) return value.map(cleanStrings);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanStrings(each)]));
}

/** How a request is answered: once, to its sender, and by anything that everybody may see. */
export interface Replies {
  reply(content: Record<string, unknown>): void;
  publish(type: string, content: Record<string, unknown>): void;
  /** Asks who sent the request for input. */
  ask(content: Record<string, unknown>): void;
}

export function createReplies(send: (answer: KernelMessage) => void): (request: Request | null) => Replies {
  const session = randomUUID();
  const write = (
    request: Request | null,
    place: Pick<KernelMessage, "channel" | "identities">,
    msg_type: string,
    content: Record<string, unknown>,
  ): void =>
    send({
      ...place,
      header: {
        msg_id: randomUUID(),
        msg_type,
        session,
        username: "drydock",
        date: new Date().toISOString(),
        version: PROTOCOL_VERSION,
      },
      parent_header: request?.header ?? {},
      metadata: {},
      content: cleanStrings(content) as Record<string, unknown>,
    });
  return (request) => ({
    reply(content) {
      if (request === null || request.channel === "stdin") return;
      const { channel, identities, header } = request;
      write(request, { channel, identities }, header.msg_type.replace(/_request$/, "_reply"), content);
    },
    ask(content) {
      if (request) write(request, { channel: "stdin", identities: request.identities }, "input_request", content);
    },
    publish(type, content) {
      const topic = Buffer.from(`kernel.${session}.${type}`).toString("base64");
      write(request, { channel: "iopub", identities: [topic] }, type, content);
    },
  });
}
