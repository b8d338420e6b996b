import * as z from "zod";

const count = z.number().int();

/** What the sandbox of one process has under way, and ready. */
export const SandboxLoad = z.object({
  running: count.describe("Runs that execute now. Steps of sessions do not count."),
  waiting: count.describe("Runs that wait until others have ended: the policy's `limits.concurrency` is reached."),
  pools: z
    .array(
      z.object({
        name: z
          .string()
          .describe("What waits in it: `python`, `data` (with the libraries of data work), `node`, `webnode`."),
        ready: count.describe("Sandboxes that wait for their run."),
        size: count.describe("How many it keeps when it has the time."),
      }),
    )
    .describe("Sandboxes that are prepared already. A pool is there once a run has needed it."),
});
export type SandboxLoad = z.infer<typeof SandboxLoad>;

/** How one server stands at this moment. */
export const ServerStatus = z.object({
  startedAt: z.string().describe("When the server started, ISO 8601 in UTC."),
  version: z.string().describe("Version of Drydock."),
  memoryBytes: z.number().describe("Memory of the server's own process, without its sandboxes."),
  cpuSeconds: z.number().describe("CPU time of that process since it started."),
  sandbox: SandboxLoad.describe("What its sandbox has under way, and ready."),
  concurrency: count.describe("How many runs may execute at once, unless a request asks for another number."),
  sessions: z
    .object({
      live: count.describe("Sessions that are open in this server."),
      limit: count.describe("How many may be open at once: `sessions.live` of the policy."),
    })
    .describe("Interpreters that keep their state."),
  backgroundRuns: count.describe("Runs that this server carries out without a caller that waits."),
  calls: z
    .object({
      running: count.describe("Calls of extensions that execute."),
      waiting: count.describe("Calls of extensions that wait for their turn."),
    })
    .describe("Calls of extensions in this server."),
  streams: count.describe("Streams that are being read: pages and programs that follow something."),
});
export type ServerStatus = z.infer<typeof ServerStatus>;
