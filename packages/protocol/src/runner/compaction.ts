import * as z from "zod";

/** Where a runner keeps its summary of a long conversation: in the state of the scope `conversation`. */
export const COMPACTION_KEY = "runner.compaction.checkpoint";

/**
 * A summary of the older part of a conversation. Whoever reads it goes on with the history after `covers_until`. Where it is
 * not valid, or what it covers is gone, it counts for nothing, and the runner reads the end of the history instead.
 */
export const CompactionCheckpoint = z.looseObject({
  schema_version: z.string().min(1),
  summary: z.string().min(1),
  covers_until: z
    .union([z.string().min(1), z.number().int().positive()])
    .describe("A cursor of the history, or a `seq`."),
  tokens_before: z.number().int().nonnegative().nullish(),
  created_at: z.number().nullish().describe("Seconds since 1970, UTC."),
  conversation_id: z.string().min(1),
});
export type CompactionCheckpoint = z.infer<typeof CompactionCheckpoint>;
