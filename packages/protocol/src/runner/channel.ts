import * as z from "zod";
import { MessageChunk } from "./message.ts";
import { RunResult } from "./results.ts";
import { RunRequest } from "./run-context.ts";

/** Versions of this protocol that this host speaks, the best first. */
export const RUNNER_PROTOCOL_VERSIONS = ["1"] as const;

const channel = z.string().min(1).max(100).describe("Names one run on the connection. The host makes it.");

/** Requests of the host to a plugin's process: JSON-RPC 2.0, one message a line. */
export const PLUGIN_REQUESTS = {
  initialize: {
    params: z.looseObject({
      protocol_versions: z.array(z.string()).min(1),
      host: z.looseObject({ name: z.string(), version: z.string() }),
    }),
    result: z.object({
      protocol_version: z.string(),
      /** Each is read by itself: one that is not valid does not hide the others. */
      runners: z.array(z.unknown()).max(100),
    }),
  },
  /** Answered when the runner has returned. Results come before, as notifications `run.result`. */
  "runner.run": { params: RunRequest.extend({ channel }), result: z.looseObject({}) },
  ping: { params: z.looseObject({}), result: z.looseObject({}) },
  shutdown: { params: z.looseObject({}), result: z.looseObject({}) },
} as const;

/** Notifications of the host to a plugin's process. */
export const PLUGIN_NOTIFICATIONS = {
  "run.cancel": z.looseObject({ channel, reason: z.string() }),
  "llm.chunk": z.looseObject({ stream_id: z.string(), chunk: MessageChunk }),
} as const;

/** Notifications of a plugin's process to the host. */
export const HOST_NOTIFICATIONS = {
  "run.result": z.object({ channel, result: RunResult }),
  log: z.object({ level: z.enum(["debug", "info", "warning", "error"]), message: z.string() }),
} as const;
