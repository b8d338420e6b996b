import * as z from "zod";

export const DiskUsage = z.object({
  home: z.string().describe("Absolute path of the home."),
  totalBytes: z.number().describe("Bytes of all parts together."),
  parts: z
    .array(
      z.object({
        name: z.string().describe("Name of the part, such as `ledger`."),
        bytes: z.number().describe("Bytes that it takes."),
        detail: z.string().describe("What is in it, in one line."),
      }),
    )
    .describe("What takes the space."),
});
export type DiskUsage = z.infer<typeof DiskUsage>;

export const PruneReport = z.object({
  before: z.string().describe("Runs that ended before then are meant, ISO 8601 in UTC."),
  dryRun: z.boolean().describe("True: nothing was removed."),
  runs: z.number().int().describe("How many runs are removed, or would be."),
  events: z.number().int().describe("How many events of theirs."),
  environments: z.number().int().describe("How many environments with Python packages that nobody used since then."),
  freedBytes: z
    .number()
    .describe(
      "Bytes of files that are gone; 0 for a dry run. A large ledger's file keeps its size: `diskUsage` tells what is free in it.",
    ),
  checkpoint: z
    .object({
      position: z.number().int().describe("Number of the entry in the chain of the ledger."),
      hash: z.string().describe("Hash of that entry."),
    })
    .nullable()
    .describe("The entry of the ledger's chain that records the cut; null where no run was removed."),
});
export type PruneReport = z.infer<typeof PruneReport>;
