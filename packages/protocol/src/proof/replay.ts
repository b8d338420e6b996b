import * as z from "zod";
import { Verdict } from "../run/run.ts";

/** One fact of which a replay tells something else than the record. */
export const Divergence = z.object({
  step: z
    .string()
    .describe(
      "Where: `record`, `workspace`, `extension`, or the step's key, such as `fix/a1` or `step 2`. Steps of a part of the run start with its id.",
    ),
  what: z.string().describe("What is different, such as `stdout` or `the tree`."),
  cause: z
    .enum(["record", "workspace", "extension"])
    .optional()
    .describe(
      "What it is due to, where that is no step of the run: an altered record, another directory, another extension.",
    ),
  recorded: z.unknown().describe("As the ledger has it."),
  replayed: z.unknown().describe("As it came out in the replay."),
  follows: z.boolean().optional().describe("True: it follows from the first divergence, or may do so."),
});
export type Divergence = z.infer<typeof Divergence>;

export const ReplayResult = z.object({
  runId: z
    .string()
    .nullable()
    .describe("Id of the replay, which is a run itself; null where the record is too damaged to be executed."),
  replayOf: z.string().describe("Id of the run that was executed again."),
  ok: z.boolean().describe("True if everything came out as it was recorded."),
  verdict: Verdict,
  treeHash: z.string().nullable().describe("Hash of the directory after the replay; null without one."),
  steps: z.number().int().describe("How many steps were compared."),
  divergences: z.array(Divergence).describe("What is different, the cause first; empty if `ok`."),
  notes: z.array(z.string()).describe("What was not executed again, and why."),
});
export type ReplayResult = z.infer<typeof ReplayResult>;
