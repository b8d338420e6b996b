import * as z from "zod";

/** What an interpreter session can run. */
export const SessionLanguage = z.enum(["python", "node"]).describe("The interpreter's language.");

const count = z.number().int();

export const SessionInfo = z.object({
  sessionId: z.string().describe("Id of the session, `ses_…`. All requests about the session take it."),
  language: SessionLanguage,
  workspace: z.string().nullable().describe("Absolute path of the directory it works on; null: an empty directory."),
  createdAt: z.string().describe("When it was opened, ISO 8601 in UTC."),
  lastUsedAt: z.string().describe("When it was last used, ISO 8601 in UTC."),
  steps: count.describe("Steps executed so far, failed ones included."),
  tasksLeft: count.describe("Steps it may still execute. The policy's `sessions.tasks` is the total."),
  kept: z.array(count).describe("Steps whose states are kept; 0 is the state before the first step."),
  forkedFrom: z
    .object({
      sessionId: z.string().describe("Id of the session that was copied."),
      step: count.describe("The step after which it was copied."),
    })
    .nullable()
    .describe("The session that this one is a fork of; null: it was opened."),
  idleSeconds: z.number().describe("Seconds since it was last used. The policy's `sessions.idleSeconds` closes it."),
  memoryBytes: z.number().describe("Memory it used after the last step, in bytes."),
  cpuMs: z.number().describe("CPU time of all its steps, in milliseconds."),
  variables: z.record(z.string(), z.string()).describe("Names and types of its variables. Python only."),
  limits: z
    .object({
      wallSeconds: z.number().describe("Seconds by the clock, for one step."),
      memoryMb: z.number().describe("Memory of all its processes together, in megabytes."),
    })
    .describe("What a step may use, unless its own policy says otherwise."),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

export const SessionTotals = z.object({
  live: count.describe("Sessions that are open in this process."),
  opened: count.describe("Sessions that were opened in this home, by whichever process; forks count."),
  closedIdle: count.describe("Those of them that were closed because nobody used them."),
  steps: count.describe("Steps that were executed, failed ones included."),
  failedSteps: count.describe("Steps that failed."),
  cpuMs: count.describe("CPU time of all steps, in milliseconds."),
});
export type SessionTotals = z.infer<typeof SessionTotals>;
