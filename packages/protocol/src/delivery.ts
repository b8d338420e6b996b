import * as z from "zod";
import { Change } from "./layer.ts";

/** What a delivery did. */
export const DeliveryReport = z.object({
  runId: z.string().describe("Id of the run that was delivered, `run_…`."),
  workspace: z.string().describe("Absolute path of the directory that was changed."),
  branch: z.string().nullable().describe("The new branch that has the changes; null if they are in the directory."),
  commit: z.string().nullable().describe("Hash of the commit on that branch; null without one."),
  changes: z.array(Change).describe("Files that were changed."),
  merged: z.array(z.string()).describe("Files that somebody had changed meanwhile, and that now have both changes."),
  ignored: z
    .number()
    .int()
    .describe("Number of new files that were left out because git ignores them, or because they are caches of tools."),
  notes: z.array(z.string()).describe("Remarks that are not errors."),
});
export type DeliveryReport = z.infer<typeof DeliveryReport>;

export const DeliveryOutcome = z
  .enum(["applied", "already", "nothing"])
  .describe("Whether the changes were delivered. `already`: they were before; `nothing`: there is nothing to deliver.");
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;
