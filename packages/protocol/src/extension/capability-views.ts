import * as z from "zod";
import { Run } from "../run/run.ts";
import { CALL_FIELDS } from "./capability.ts";

const user = z.string().describe("The user on whose behalf it is done.");

/** A call, while it waits or runs. */
export const QueuedCall = z.object({
  ...CALL_FIELDS,
  user,
  position: z.number().int().describe("Place in the queue: 0 while it runs, 1 is next."),
  since: z.string().describe("Since when it waits or runs, ISO 8601 in UTC."),
});
export type QueuedCall = z.infer<typeof QueuedCall>;

/** A run of the kind `capability`, and what was called. */
export const CapabilityRecord = Run.extend({
  extension: CALL_FIELDS.extension,
  command: CALL_FIELDS.command,
  action: CALL_FIELDS.action,
  session: CALL_FIELDS.session,
  user,
  durationMs: z.number().nullable().describe("Time that it took, in milliseconds; null while it is under way."),
});
export type CapabilityRecord = z.infer<typeof CapabilityRecord>;

/** One action as a tool for a model: its name fits what models and MCP accept. */
export const CapabilityTool = z.object({
  name: z.string().describe("Name of the action as a tool for models: `csv__head`."),
  description: z.string().describe("What the action does, for people and for models."),
  inputSchema: z.record(z.string(), z.unknown()).describe("JSON Schema of the action's values."),
  command: CALL_FIELDS.command,
  action: CALL_FIELDS.action,
  extension: CALL_FIELDS.extension,
});
export type CapabilityTool = z.infer<typeof CapabilityTool>;

/** Which calls are listed. Default: all. */
export interface ListCapabilitiesOptions {
  extension?: string;
  session?: string;
  user?: string;
  /** 1 to 1000, default 50. */
  limit?: number;
  /** What the page before gave as `nextCursor`. */
  cursor?: string | null;
}
