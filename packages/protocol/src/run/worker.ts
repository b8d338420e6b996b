import * as z from "zod";

export const WorkerState = z
  .enum(["active", "cordoned", "draining"])
  .describe("`cordoned`: it takes no more runs; `draining`: it takes no more, and ends when it has none.");
export type WorkerState = z.infer<typeof WorkerState>;

/** A process that carries out runs of a shared database. */
export const WorkerInfo = z.object({
  id: z.string().describe("Id of the worker, `worker_…`."),
  name: z.string().describe("Its name for people."),
  machine: z.string().describe("Name of its machine."),
  pid: z.number().int().describe("Number of its process there."),
  state: z
    .union([WorkerState, z.literal("silent")])
    .describe("What it does. `silent`: nothing was heard of it for its lease."),
  offers: z.array(z.string()).describe("What it can carry out."),
  slots: z.number().int().describe("How many runs it carries out at once."),
  busy: z.number().int().describe("How many of them are taken."),
  version: z.string().describe("Its version of Drydock."),
  startedAt: z.string().describe("When it started, ISO 8601 in UTC."),
  seenAt: z.string().describe("When it was last heard of, ISO 8601 in UTC."),
});
export type WorkerInfo = z.infer<typeof WorkerInfo>;

/** How many runs of an agent, in a workspace or of a user are carried out at once, on all workers together. */
export const Cap = z.object({
  scope: z.enum(["agent", "workspace", "user"]).describe("Of what."),
  name: z.string().describe("Whose; `*`: each one that has no cap of its own."),
  most: z.number().int().describe("How many at once."),
});
export type Cap = z.infer<typeof Cap>;
