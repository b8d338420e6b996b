import * as z from "zod";
import { Run, RunEvent } from "./run.ts";

/** An event that was found, with what a list shows of it. */
export const EventMatch = RunEvent.pick({ runId: true, seq: true, type: true, at: true, hash: true }).extend({
  kind: Run.shape.kind,
  title: Run.shape.title,
  excerpt: z.string().describe("The part of its details around the first word that was looked for, as JSON text."),
});
export type EventMatch = z.infer<typeof EventMatch>;

export const EventMatches = z.object({
  events: z.array(EventMatch).describe("Events that fit: those of the newest runs first, of one run the last first."),
  cursor: z
    .string()
    .nullable()
    .describe(
      "Pass it as `cursor` to look further; null: everything was looked at. A page can be short or empty and not the last.",
    ),
});
export type EventMatches = z.infer<typeof EventMatches>;
