import * as z from "zod";

export const SessionInfo = z.object({
  sessionId: z.string(),
  language: z.enum(["python", "node"]),
  workspace: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  /** Steps executed so far, failed ones included; `tasksLeft` counts down from the policy's `sessions.tasks`. */
  steps: z.number().int(),
  tasksLeft: z.number().int(),
  /** Steps that `rollback` can still return to; 0 is the state before the first. */
  kept: z.array(z.number().int()),
  idleSeconds: z.number(),
  memoryBytes: z.number(),
  cpuMs: z.number(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;
