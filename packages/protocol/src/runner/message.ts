import * as z from "zod";

const TextPart = z.object({ type: z.literal("text"), text: z.string() });
const ImagePart = z.object({
  type: z.literal("image_url"),
  image_url: z.object({ url: z.string() }).describe("A data URL, or an address that the host may reach."),
});
const FilePart = z.object({ type: z.literal("file"), artifact_id: z.string(), name: z.string().optional() });

const KNOWN_PARTS: readonly string[] = [TextPart, ImagePart, FilePart].map(({ shape }) => shape.type.value);
const UnknownPart = z.looseObject({
  type: z.string().refine((type) => !KNOWN_PARTS.includes(type), "does not have the fields of its type"),
});

/** A part of a message. Unknown types are kept as they are. */
export const ContentPart = z.union([TextPart, ImagePart, FilePart, UnknownPart]);
export type ContentPart = z.infer<typeof ContentPart>;

const content = z.union([z.string(), z.array(ContentPart)]).nullish();
const ToolCall = z.object({
  id: z.string(),
  type: z.literal("function").default("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

export const Message = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]).default("assistant"),
  content,
  name: z.string().optional(),
  tool_calls: z.array(ToolCall).optional(),
  tool_call_id: z.string().optional(),
});
export type Message = z.infer<typeof Message>;
export type MessageInput = z.input<typeof Message>;

/** The next part of a message that is being written. */
export const MessageChunk = Message.extend({ is_final: z.boolean().optional() });
export type MessageChunk = z.infer<typeof MessageChunk>;

/** The text of a message; parts that are not text are left out. */
export function readText(message: Pick<Message, "content">): string {
  const { content: parts } = message;
  if (typeof parts === "string") return parts;
  return (parts ?? []).map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("");
}
