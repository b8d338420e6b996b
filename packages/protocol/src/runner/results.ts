import * as z from "zod";
import { Message, MessageChunk } from "./message.ts";
import { RUNNER_LIMITS } from "./runner-limits.ts";

export const STATE_SCOPES = ["conversation", "actor", "subject", "runner"] as const;
export const StateScope = z.enum(STATE_SCOPES);
export type StateScope = z.infer<typeof StateScope>;

/** Tokens that a runner reports. What is absent is unknown, not 0. */
export const RunnerUsage = z.object({
  input_tokens: z.number().int().nonnegative().optional().describe("Tokens that models read. Absent: unknown."),
  output_tokens: z.number().int().nonnegative().optional().describe("Tokens that models wrote. Absent: unknown."),
});

const toolCall = { tool_call_id: z.string(), tool_name: z.string() };

/** What each type of result carries. Payloads of tool calls are loose: they are only shown. */
export const RESULT_PAYLOADS = {
  "message.delta": z.object({ chunk: MessageChunk }),
  "message.completed": z.object({ message: Message }),
  "tool.call.started": z.looseObject({ ...toolCall, parameters: z.record(z.string(), z.unknown()).optional() }),
  "tool.call.completed": z.looseObject({ ...toolCall, result: z.unknown().optional(), error: z.string().nullish() }),
  "artifact.created": z.object({
    artifact_type: z.string().min(1),
    artifact_id: z.string().optional(),
    mime_type: z.string().optional(),
    name: z.string().optional(),
    size_bytes: z.number().int().nonnegative().optional(),
    sha256: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    content_base64: z.string().optional(),
  }),
  "state.updated": z.object({
    scope: StateScope,
    key: z.string().min(1).max(RUNNER_LIMITS.stateKeyChars),
    value: z.json(),
  }),
  "action.requested": z.object({
    action: z.string().min(1),
    target: z.record(z.string(), z.unknown()).nullish(),
    payload: z.record(z.string(), z.unknown()).nullish(),
  }),
  "run.completed": z.object({ finish_reason: z.string(), message: Message.nullish(), usage: RunnerUsage.optional() }),
  "run.failed": z.object({ code: z.string().min(1), error: z.string(), retryable: z.boolean().default(false) }),
} as const;

export type ResultType = keyof typeof RESULT_PAYLOADS;
export type ResultPayload<Type extends ResultType> = z.output<(typeof RESULT_PAYLOADS)[Type]>;
/** The same as a runner writes it: what has a default may be left out. */
export type ResultInput<Type extends ResultType> = z.input<(typeof RESULT_PAYLOADS)[Type]>;

export function isResultType(type: string): type is ResultType {
  return Object.hasOwn(RESULT_PAYLOADS, type);
}

/** Types after which a run is over. */
export const TERMINAL_RESULTS = ["run.completed", "run.failed"] as const satisfies readonly ResultType[];

/**
 * The envelope of every result. A type that the host does not know is ignored with a warning, so that a newer runner works
 * with an older host. `run_id` and `sequence` are optional: the channel knows the run, and the host numbers what it records.
 */
export const RunResult = z.object({
  run_id: z.string().optional(),
  type: z.string().min(1),
  data: z.record(z.string(), z.unknown()).default({}),
  sequence: z.unknown().optional(),
  timestamp: z.number().nullish(),
});
export type RunResult = z.infer<typeof RunResult>;
