import * as z from "zod";

const typeOf = <const Type extends string>(type: Type) => z.literal(type).describe("What kind of part it is.");

const TextPart = z.object({ type: typeOf("text"), text: z.string().describe("The words of this part.") });
const ImagePart = z.object({
  type: typeOf("image_url"),
  image_url: z
    .object({ url: z.string().describe("A data URL, or an address that the host may reach.") })
    .describe("Where the picture is."),
});
const FilePart = z.object({
  type: typeOf("file"),
  artifact_id: z.string().describe("Id of the artifact that holds the file."),
  name: z.string().optional().describe("Name of the file."),
});

const KNOWN_PARTS: readonly string[] = [TextPart, ImagePart, FilePart].map(({ shape }) => shape.type.value);
const UnknownPart = z.looseObject({
  type: z
    .string()
    .refine((type) => !KNOWN_PARTS.includes(type), "does not have the fields of its type")
    .describe("A kind of part that the host does not know, and passes on."),
});

/** A part of a message. Unknown types are kept as they are. */
export const ContentPart = z.union([TextPart, ImagePart, FilePart, UnknownPart]);
export type ContentPart = z.infer<typeof ContentPart>;

const content = z
  .union([z.string(), z.array(ContentPart)])
  .nullish()
  .describe("The text, or the parts in order.");
const ToolCall = z.object({
  id: z.string().describe("Id of the call."),
  type: z.literal("function").default("function").describe("What is called: always a function."),
  function: z
    .object({
      name: z.string().describe("Name of the function."),
      arguments: z.string().describe("Arguments of the call, as JSON text."),
    })
    .describe("What is called, and with what."),
});

export const Message = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]).default("assistant").describe("Who says it."),
  content,
  name: z.string().optional().describe("Name of the tool that a message of the role `tool` comes from."),
  tool_calls: z.array(ToolCall).optional().describe("Calls that the message asks for."),
  tool_call_id: z.string().optional().describe("Id of the call that a message of the role `tool` answers."),
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
