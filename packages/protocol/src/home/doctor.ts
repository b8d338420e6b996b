import * as z from "zod";
import { SandboxReport } from "../exec.ts";

/** One thing that was looked at, what was found, and what to do about it. */
export const DoctorFinding = z.object({
  name: z.string().describe("What was looked at, such as `ledger`."),
  state: z
    .enum(["ok", "limited", "missing"])
    .describe("`limited`: it works, with less than it could; `missing`: it does not work, or is not there."),
  detail: z.string().describe("What was found, in a sentence."),
  remedy: z.string().optional().describe("What to do about it. Absent where nothing is to be done."),
});
export type DoctorFinding = z.infer<typeof DoctorFinding>;

export const DoctorReport = z.object({
  ok: z.boolean().describe("True if everything that Drydock needs is there."),
  level: SandboxReport.shape.level,
  findings: z.array(DoctorFinding).describe("All that was looked at."),
  timings: z
    .array(
      z.object({
        name: z.string().describe("What was run, such as `python3`."),
        bareMs: z.number().describe("Median of the interpreter alone, in milliseconds."),
        dockMs: z.number().describe("Median of a run in a sandbox that was ready, in milliseconds."),
      }),
    )
    .describe("What a run costs, beside the start of the interpreter without a sandbox."),
});
export type DoctorReport = z.infer<typeof DoctorReport>;
