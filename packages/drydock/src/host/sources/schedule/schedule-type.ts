import * as z from "zod";
import { defineSourceType } from "../adapter.ts";

export const ScheduleSettings = z.strictObject({
  cron: z
    .string()
    .min(1)
    .max(200)
    .describe("When it fires, as a cron expression of five fields, or of six with seconds first: `0 9 * * 1-5`."),
  timezone: z
    .string()
    .min(1)
    .max(100)
    .default("UTC")
    .describe("The time zone of these times, such as `Europe/Berlin`."),
  text: z.string().max(100_000).optional().describe("What the agent is told, such as what it is to do."),
  missed: z
    .enum(["skip", "once", "all"])
    .default("skip")
    .describe(
      "What becomes of times at which no server ran: nothing, one event for all of them, or one each (at most 100).",
    ),
  overlap: z
    .enum(["skip", "run"])
    .default("skip")
    .describe("What becomes of a time at which the run before is still under way: it is left out, or runs as well."),
  conversation: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The conversation that its events belong to, with one history. Default: each event stands for itself."),
});

export const scheduleType = defineSourceType({
  type: "schedule",
  summary: "Fires at the times of a cron expression, in a time zone.",
  settings: ScheduleSettings,
  secrets: {},
  eventSource: "scheduler",
  events: ["schedule.fired"],
  answers: null,
  runs: "once",
  path: null,
  load: async () => (await import("./schedule-program.ts")).scheduleProgram,
});
