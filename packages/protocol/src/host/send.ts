import * as z from "zod";
import { ErrorInfo } from "../errors/errors.ts";
import { Message } from "../runner/index.ts";

const event = { eventId: z.string() };
const runId = z.string();

/** What became of an event. */
export const SendResult = z.discriminatedUnion("kind", [
  z.object({
    ...event,
    kind: z.literal("answered"),
    runId,
    ok: z.boolean(),
    text: z.string().describe("The text of all messages."),
    messages: z.array(Message),
    warnings: z.array(z.string()),
    error: ErrorInfo.nullable(),
  }),
  z.object({ ...event, kind: z.literal("absorbed"), runId }).describe("A run of the same conversation gets it."),
  z.object({ ...event, kind: z.literal("duplicate"), runId: runId.nullable() }).describe("The event came before."),
  z.object({ ...event, kind: z.enum(["unbound", "discarded"]), reason: z.string() }),
]);
export type SendResult = z.infer<typeof SendResult>;
