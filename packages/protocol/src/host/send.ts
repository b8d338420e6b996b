import * as z from "zod";
import { ErrorInfo } from "../errors/errors.ts";
import { Message, RunnerUsage } from "../runner/index.ts";

const kindOf = <const Kind extends string>(kind: Kind) => z.literal(kind).describe("What became of the event.");
const event = { eventId: z.string().describe("Id of the event, `evt_…`.") };
const runId = z.string().describe("Id of the run, `run_…`.");

/** What became of an event. */
export const SendResult = z.discriminatedUnion("kind", [
  z.object({
    ...event,
    kind: kindOf("answered"),
    runId,
    ok: z.boolean().describe("Whether the run succeeded."),
    text: z.string().describe("The text of all messages."),
    messages: z.array(Message).describe("The messages of the agent, in order."),
    usage: RunnerUsage.nullable().describe("Tokens that the runner reports; null if it reports none."),
    warnings: z.array(z.string()).describe("What was wrong with results of the runner, and did not end the run."),
    error: ErrorInfo.nullable().describe("What ended the run; null if it succeeded."),
  }),
  z.object({ ...event, kind: kindOf("absorbed"), runId }).describe("A run of the same conversation gets it."),
  z
    .object({
      ...event,
      kind: kindOf("duplicate"),
      runId: runId.nullable().describe("Id of the run that answers it; null if none does."),
    })
    .describe("The event came before."),
  z.object({
    ...event,
    kind: z.enum(["unbound", "discarded"]).describe("What became of the event."),
    reason: z.string().describe("Why no agent gets it, in one sentence."),
  }),
]);
export type SendResult = z.infer<typeof SendResult>;

export const HOST_STEPS = [
  "event.received",
  "event.queued",
  "event.absorbed",
  "run.started",
  "message.delta",
  "message.completed",
  "tool.call.started",
  "tool.call.completed",
  "run.ended",
] as const;

/** What happens between an event and its answer, as it happens. */
export const HostStep = z.object({
  type: z
    .enum(HOST_STEPS)
    .describe(
      "`event.queued`: it waits for the run before it; `event.absorbed`: the run under way gets it; the others as they say.",
    ),
  ...event,
  runId: runId.nullable().describe("Id of the run; null as long as there is none."),
  data: z
    .record(z.string(), z.unknown())
    .describe("`text` of a message or a delta, facts about a tool call, or `ok` and `error` of the end."),
});
export type HostStep = z.infer<typeof HostStep>;
