import * as z from "zod";
import { ErrorInfo } from "./errors/errors.ts";
import { FileWrite } from "./plan.ts";

/** What a request to a model is for. Scripted answers are chosen by it. */
export const ModelStep = z.enum(["plan", "work", "rework", "code", "chat", "analyze"]);
export type ModelStep = z.infer<typeof ModelStep>;

export const ToolCall = z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type ToolCall = z.infer<typeof ToolCall>;

/** A picture of a message: a PNG, JPEG, GIF or WebP, its bytes in base64. */
export const ModelPicture = z.object({ mime: z.string(), base64: z.string() });
export type ModelPicture = z.infer<typeof ModelPicture>;

export const ModelMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string(), pictures: z.array(ModelPicture).optional() }),
  z.object({ role: z.literal("assistant"), text: z.string(), toolCalls: z.array(ToolCall) }),
  z.object({ role: z.literal("tool"), callId: z.string(), name: z.string(), text: z.string(), failed: z.boolean() }),
]);
export type ModelMessage = z.infer<typeof ModelMessage>;

export const ModelUsage = z.object({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cachedInputTokens: z.number().int(),
  /** Null if the model's price is unknown. */
  costUsd: z.number().nullable(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** A call of a model that gives no text: `model.called`. */
export const ModelCalled = z.object({
  /** `provider/name`. */
  model: z.string(),
  /** Vectors, a ranking, or a count of tokens. */
  purpose: z.enum(["embedding", "rerank", "count"]),
  /** Texts that it was about. */
  inputs: z.number().int().nonnegative(),
  usage: ModelUsage,
  /** The server did not say how much it has read. */
  isEstimated: z.boolean(),
  durationMs: z.number(),
  /** Where it failed, or was refused by the budget. */
  error: ErrorInfo.optional(),
});
export type ModelCalled = z.infer<typeof ModelCalled>;

export const ModelAnswer = z.object({
  /** `provider/name`, or `scripted`: who really answered, after fallbacks. */
  model: z.string(),
  text: z.string(),
  /** Set if the request has a schema and the answer fits it. */
  json: z.unknown().optional(),
  toolCalls: z.array(ToolCall),
  /** A scripted answer may end an attempt with the files it writes, in either way of working. */
  writes: z.array(FileWrite).optional(),
  finish: z.enum(["stop", "tools", "length", "filtered", "other"]),
  usage: ModelUsage,
  /** Requests that it took, where it was more than one: repetitions, corrections and fallbacks are counted. */
  requests: z.number().int().positive().optional(),
  /** Which scripted answer was used, counted from 0. */
  scripted: z.number().int().optional(),
  /** Scripted answers that were skipped before it, because they did not fit the schema. */
  scriptedBefore: z.array(z.number().int()).optional(),
});
export type ModelAnswer = z.infer<typeof ModelAnswer>;

/** `--model scripted:FILE`. Each request takes the first answer that fits and is not used up. */
export const ScriptedAnswer = z
  .strictObject({
    when: z
      .strictObject({ step: ModelStep.optional(), task: z.string().optional(), contains: z.string().optional() })
      .optional(),
    text: z.string().optional(),
    json: z.unknown().optional(),
    writes: z.array(FileWrite).optional(),
    toolCalls: z
      .array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }))
      .optional(),
    /** The request fails with this message, as if the provider had. */
    error: z.string().optional(),
    repeat: z.union([z.number().int().positive(), z.literal("always")]).default(1),
  })
  .refine(
    (answer) =>
      [answer.text, answer.json, answer.writes, answer.toolCalls, answer.error].some((field) => field !== undefined),
    { message: "give at least one of `text`, `json`, `writes`, `toolCalls`, `error`" },
  );
export type ScriptedAnswer = z.infer<typeof ScriptedAnswer>;

export const Script = z.strictObject({ answers: z.array(ScriptedAnswer).min(1) });
export type Script = z.infer<typeof Script>;
