import * as z from "zod";
import { CheckEntry } from "./check-entry.ts";

// Compiling a schema costs more than the few checks of a short program, and needs `eval`, which a host may forbid.
z.config({ jitless: true });

/** A value that sets default and ceiling at once, or each apart. */
function ranged<T extends z.ZodType>(value: T) {
  return z.union([value, z.strictObject({ default: value.optional(), max: value.optional() })]);
}

const count = z.number().int().nonnegative();
const positive = z.number().positive();
const strings = z.array(z.string().min(1));

export const GuardMode = z.enum(["strict", "open", "off"]);
export type GuardMode = z.infer<typeof GuardMode>;

/** Containment levels, weakest last. */
export const SandboxLevel = z.enum(["cgroups", "rlimits", "landlock"]);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

export const SandboxBackend = z.enum(["namespaces", "unconfined"]);
export type SandboxBackend = z.infer<typeof SandboxBackend>;

/** How much harm an action could do, least first. */
export const Risk = z.enum(["low", "medium", "high"]);
export type Risk = z.infer<typeof Risk>;

/** The lowest risk at which a person has to agree first. */
export const ApprovalThreshold = z.enum([...Risk.options, "never"]);
export type ApprovalThreshold = z.infer<typeof ApprovalThreshold>;

/** A policy as it is written: in a file, or (partial) in a request. Unknown keys are errors everywhere. */
export const PolicyDocument = z.strictObject({
  version: z.literal(1).optional(),
  files: z
    .strictObject({
      access: ranged(z.boolean()).optional(),
      write: ranged(strings).optional(),
      protect: strings.optional(),
      hide: strings.optional(),
    })
    .optional(),
  commands: z.strictObject({ allow: ranged(strings).optional(), deny: strings.optional() }).optional(),
  network: z.strictObject({ allow: ranged(strings).optional() }).optional(),
  environment: z.strictObject({ allow: ranged(strings).optional() }).optional(),
  python: z
    .strictObject({
      guard: ranged(GuardMode).optional(),
      imports: z.strictObject({ allow: strings.optional(), block: strings.optional() }).optional(),
      calls: z.strictObject({ block: strings.optional() }).optional(),
    })
    .optional(),
  limits: z
    .strictObject({
      wallSeconds: ranged(positive).optional(),
      cpuSeconds: ranged(positive).optional(),
      memoryMb: ranged(positive).optional(),
      processes: ranged(positive.int()).optional(),
      outputMb: ranged(positive).optional(),
      diskMb: ranged(positive).optional(),
      openFiles: ranged(positive.int()).optional(),
      concurrency: ranged(positive.int()).optional(),
    })
    .optional(),
  sessions: z
    .strictObject({
      tasks: ranged(count).optional(),
      idleSeconds: ranged(positive).optional(),
      live: ranged(count).optional(),
    })
    .optional(),
  extensions: z
    .strictObject({
      allow: ranged(strings).optional(),
      approval: ranged(ApprovalThreshold).optional(),
      concurrency: ranged(positive.int()).optional(),
      total: ranged(positive.int()).optional(),
      callsPerHour: ranged(count).optional(),
      secondsPerHour: ranged(count).optional(),
    })
    .optional(),
  mcp: z.strictObject({ allow: ranged(strings).optional() }).optional(),
  checks: z.strictObject({ required: z.array(CheckEntry).max(1000).optional() }).optional(),
  sandbox: z
    .strictObject({
      backends: z.array(SandboxBackend).min(1).optional(),
      level: SandboxLevel.optional(),
    })
    .optional(),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/** A policy after resolution: one value each, frozen into the run when it starts. */
export const EffectivePolicy = z.strictObject({
  version: z.literal(1),
  files: z.strictObject({ access: z.boolean(), write: strings, protect: strings, hide: strings }),
  /** Runs that were recorded before there was a list of denied commands have none. */
  commands: z.strictObject({ allow: strings, deny: strings.default([]) }),
  network: z.strictObject({ allow: strings }),
  environment: z.strictObject({ allow: strings }),
  python: z.strictObject({
    guard: GuardMode,
    imports: z.strictObject({ allow: strings, block: strings }),
    calls: z.strictObject({ block: strings }),
  }),
  limits: z.strictObject({
    wallSeconds: positive,
    cpuSeconds: positive,
    memoryMb: positive,
    processes: positive,
    outputMb: positive,
    diskMb: positive,
    openFiles: positive,
    concurrency: positive,
  }),
  sessions: z.strictObject({ tasks: count, idleSeconds: positive, live: count }),
  // Runs that were recorded before these sections existed are still read: they could use neither.
  extensions: z
    .strictObject({
      allow: strings,
      approval: ApprovalThreshold,
      concurrency: positive,
      total: positive,
      callsPerHour: count,
      secondsPerHour: count,
    })
    .default({ allow: [], approval: "low", concurrency: 1, total: 1, callsPerHour: 0, secondsPerHour: 0 }),
  mcp: z.strictObject({ allow: strings }).default({ allow: [] }),
  /** Each as text: a command line, or a check as JSON. */
  checks: z.strictObject({ required: strings }).default({ required: [] }),
  sandbox: z.strictObject({ backends: z.array(SandboxBackend), level: SandboxLevel }),
});
export type EffectivePolicy = z.infer<typeof EffectivePolicy>;
