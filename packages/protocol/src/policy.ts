import * as z from "zod";
import { BACKEND_NAMES, HOST_IMAGE, SANDBOX_LEVELS } from "./backends.ts";
import { CheckEntry } from "./check-entry.ts";
import { mapLimits } from "./limits.ts";
import { POLICY_MEANINGS } from "./policy-meanings.ts";

// Compiling a schema costs more than the few checks of a short program, and needs `eval`, which a host may forbid.
z.config({ jitless: true });

type Meaning = keyof typeof POLICY_MEANINGS;

/** A key of a document: a value that sets default and ceiling at once, or each apart. */
function ranged<T extends z.ZodType>(key: Meaning, value: T) {
  const both = z.strictObject({
    default: value.optional().describe("What holds when a request asks for nothing else."),
    max: value.optional().describe("The ceiling: the most that a request may ask for."),
  });
  return z.union([value, both]).optional().describe(POLICY_MEANINGS[key]);
}

function plain<T extends z.ZodType>(key: Meaning, value: T) {
  return value.optional().describe(POLICY_MEANINGS[key]);
}

/** A key of the policy that holds. */
function held<T extends z.ZodType>(key: Meaning, value: T) {
  return value.describe(POLICY_MEANINGS[key]);
}

const count = z.number().int().nonnegative();
const positive = z.number().positive();
const whole = positive.int();
const strings = z.array(z.string().min(1));

export const GuardMode = z.enum(["strict", "open", "off"]);
export type GuardMode = z.infer<typeof GuardMode>;

export const SandboxLevel = z.enum(SANDBOX_LEVELS);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

export const SandboxBackend = z.enum(BACKEND_NAMES);
export type SandboxBackend = z.infer<typeof SandboxBackend>;

const ImageName = z
  .string()
  .max(255)
  .regex(/^[a-z0-9][\w./:@-]*$/, "the name of an image, such as localhost/tools:1, or `host`");

/** Whether runs find what the workspace itself has installed. */
export const ProjectEnvironment = z.enum(["off", "auto"]);

export const Risk = z.enum(["low", "medium", "high"]).describe("How much harm the action could do.");
export type Risk = z.infer<typeof Risk>;

/** The lowest risk at which a person has to agree first. */
export const ApprovalThreshold = z.enum([...Risk.options, "never"]);
export type ApprovalThreshold = z.infer<typeof ApprovalThreshold>;

/** A policy as it is written: in a file, or (partial) in a request. Unknown keys are errors everywhere. */
export const PolicyDocument = z.strictObject({
  version: plain("version", z.literal(1)),
  files: plain(
    "files",
    z.strictObject({
      access: ranged("files.access", z.boolean()),
      write: ranged("files.write", strings),
      protect: plain("files.protect", strings),
      hide: plain("files.hide", strings),
    }),
  ),
  commands: plain(
    "commands",
    z.strictObject({ allow: ranged("commands.allow", strings), deny: plain("commands.deny", strings) }),
  ),
  network: plain(
    "network",
    z.strictObject({
      allow: ranged("network.allow", strings),
      upstreams: ranged("network.upstreams", strings),
    }),
  ),
  environment: plain("environment", z.strictObject({ allow: ranged("environment.allow", strings) })),
  python: plain(
    "python",
    z.strictObject({
      enabled: plain("python.enabled", z.boolean()),
      guard: ranged("python.guard", GuardMode),
      imports: plain(
        "python.imports",
        z.strictObject({
          allow: plain("python.imports.allow", strings),
          block: plain("python.imports.block", strings),
        }),
      ),
      calls: plain("python.calls", z.strictObject({ block: plain("python.calls.block", strings) })),
    }),
  ),
  limits: plain(
    "limits",
    z.strictObject(mapLimits((key, { unit }) => ranged(`limits.${key}`, unit === "count" ? whole : positive))),
  ),
  sessions: plain(
    "sessions",
    z.strictObject({
      tasks: ranged("sessions.tasks", count),
      idleSeconds: ranged("sessions.idleSeconds", positive),
      live: ranged("sessions.live", count),
    }),
  ),
  extensions: plain(
    "extensions",
    z.strictObject({
      allow: ranged("extensions.allow", strings),
      approval: ranged("extensions.approval", ApprovalThreshold),
      concurrency: ranged("extensions.concurrency", whole),
      total: ranged("extensions.total", whole),
      callsPerHour: ranged("extensions.callsPerHour", count),
      secondsPerHour: ranged("extensions.secondsPerHour", count),
    }),
  ),
  mcp: plain("mcp", z.strictObject({ allow: ranged("mcp.allow", strings) })),
  checks: plain("checks", z.strictObject({ required: plain("checks.required", z.array(CheckEntry).max(1000)) })),
  project: plain("project", z.strictObject({ environment: ranged("project.environment", ProjectEnvironment) })),
  sandbox: plain(
    "sandbox",
    z.strictObject({
      backends: plain("sandbox.backends", z.array(SandboxBackend).min(1)),
      level: plain("sandbox.level", SandboxLevel),
      toolchains: plain("sandbox.toolchains", strings.max(16)),
      reuse: plain("sandbox.reuse", z.boolean()),
      image: plain("sandbox.image", ImageName),
    }),
  ),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/** A policy after resolution: one value each, frozen into the run when it starts. */
export const EffectivePolicy = z.strictObject({
  version: held("version", z.literal(1)),
  files: held(
    "files",
    z.strictObject({
      access: held("files.access", z.boolean()),
      write: held("files.write", strings),
      protect: held("files.protect", strings),
      hide: held("files.hide", strings),
    }),
  ),
  /** Runs that were recorded before there was a list of denied commands have none. */
  commands: held(
    "commands",
    z.strictObject({ allow: held("commands.allow", strings), deny: held("commands.deny", strings.default([])) }),
  ),
  /** Runs that were recorded before there were upstreams had none. */
  network: held(
    "network",
    z.strictObject({
      allow: held("network.allow", strings),
      upstreams: held("network.upstreams", strings.default([])),
    }),
  ),
  environment: held("environment", z.strictObject({ allow: held("environment.allow", strings) })),
  python: held(
    "python",
    z.strictObject({
      enabled: held("python.enabled", z.boolean().default(true)),
      guard: held("python.guard", GuardMode),
      imports: held(
        "python.imports",
        z.strictObject({ allow: held("python.imports.allow", strings), block: held("python.imports.block", strings) }),
      ),
      calls: held("python.calls", z.strictObject({ block: held("python.calls.block", strings) })),
    }),
  ),
  limits: held(
    "limits",
    z.strictObject(
      mapLimits((key, { earlier }) =>
        held(`limits.${key}`, earlier === undefined ? positive : positive.default(earlier)),
      ),
    ),
  ),
  sessions: held(
    "sessions",
    z.strictObject({
      tasks: held("sessions.tasks", count),
      idleSeconds: held("sessions.idleSeconds", positive),
      live: held("sessions.live", count),
    }),
  ),
  // Runs that were recorded before these sections existed are still read: they could use neither.
  extensions: held(
    "extensions",
    z
      .strictObject({
        allow: held("extensions.allow", strings),
        approval: held("extensions.approval", ApprovalThreshold),
        concurrency: held("extensions.concurrency", positive),
        total: held("extensions.total", positive),
        callsPerHour: held("extensions.callsPerHour", count),
        secondsPerHour: held("extensions.secondsPerHour", count),
      })
      .default({ allow: [], approval: "low", concurrency: 1, total: 1, callsPerHour: 0, secondsPerHour: 0 }),
  ),
  mcp: held("mcp", z.strictObject({ allow: held("mcp.allow", strings) }).default({ allow: [] })),
  /** Each as text: a command line, or a check as JSON. */
  checks: held("checks", z.strictObject({ required: held("checks.required", strings) }).default({ required: [] })),
  project: held(
    "project",
    z.strictObject({ environment: held("project.environment", ProjectEnvironment) }).default({ environment: "off" }),
  ),
  sandbox: held(
    "sandbox",
    z.strictObject({
      backends: held("sandbox.backends", z.array(SandboxBackend)),
      level: held("sandbox.level", SandboxLevel),
      toolchains: held("sandbox.toolchains", strings.default([])),
      reuse: held("sandbox.reuse", z.boolean().default(false)),
      image: held("sandbox.image", ImageName.default(HOST_IMAGE)),
    }),
  ),
});
export type EffectivePolicy = z.infer<typeof EffectivePolicy>;
