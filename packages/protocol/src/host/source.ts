import * as z from "zod";

export const SourceName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, "a name has small letters, digits and dashes, and begins with a letter");

/** Written like a variable of the environment. What does not look like that may be the secret itself, typed in the wrong place. */
const SecretName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "give the name of a stored secret, such as TELEGRAM_TOKEN, never its value");

const secrets = z
  .record(z.string(), SecretName)
  .describe("For each secret that the type needs: the name that it has in the owner's store. Values are in no record.");

/** A configured way by which the outside world reaches agents, and answers get back. */
export const NewSource = z.strictObject({
  name: SourceName.describe("Name of the source. Bindings with the scope `bot` name it."),
  type: z
    .string()
    .min(1)
    .max(64)
    .describe("Type of the source, such as `webhook`. `GET /host/source-types` lists them."),
  settings: z.record(z.string(), z.unknown()).default({}).describe("Settings, by the form of the type."),
  secrets: secrets.default({}),
  enabled: z.boolean().default(true).describe("Whether servers of this home start it."),
});
export type NewSource = z.infer<typeof NewSource>;

/** What of a source is to be changed. */
export const SourceChanges = z.strictObject({
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Settings that are to be changed. Null takes one out; what is not named stays."),
  secrets: z
    .record(z.string(), SecretName.nullable())
    .optional()
    .describe("Names of secrets that are to be changed. Null takes one out; what is not named stays."),
  enabled: z.boolean().optional().describe("Whether servers of this home start it."),
});
export type SourceChanges = z.infer<typeof SourceChanges>;

export const SOURCE_STATES = ["disabled", "stopped", "starting", "running", "failed"] as const;

export const SourceStatus = z.strictObject({
  state: z
    .enum(SOURCE_STATES)
    .describe(
      "`disabled`: it is switched off; `stopped`: no server runs it; `failed`: it is started again at `retryAt`, or when it is changed.",
    ),
  problem: z.string().nullable().describe("What is wrong, or was wrong last; null if nothing is."),
  hint: z.string().nullable().describe("What to do about the problem; null if there is none."),
  since: z.string().nullable().describe("Since when it is so, ISO 8601 in UTC; null if it was never started."),
  retryAt: z.string().nullable().describe("When it is started again, ISO 8601 in UTC; null if nothing is planned."),
  events: z.number().int().describe("How many events it has passed on."),
  refused: z.number().int().describe("How many it has refused, such as those of strangers."),
  lastEventAt: z.string().nullable().describe("When its last event came, ISO 8601 in UTC; null if none has come."),
  lastOutcome: z
    .string()
    .nullable()
    .describe("What became of that event: `answered`, `failed`, `unbound`, `discarded`, `absorbed` or `duplicate`."),
});
export type SourceStatus = z.infer<typeof SourceStatus>;

export const HostSource = NewSource.extend({
  id: z.string().describe("Id of the source, `src_…`."),
  address: z.string().nullable().describe("Path at which servers take its requests; null if it takes none."),
  createdAt: z.string().describe("When it was created, ISO 8601 in UTC."),
  changedAt: z.string().describe("When it was changed last, ISO 8601 in UTC."),
  status: SourceStatus.describe("How it stands."),
});
export type HostSource = z.infer<typeof HostSource>;

export const SourceTypeInfo = z.strictObject({
  type: z.string().describe("Name of the type, such as `webhook`."),
  summary: z.string().describe("What it connects, in one sentence."),
  events: z.array(z.string()).describe("Types of the events that it passes on."),
  answers: z.boolean().describe("Whether answers of agents go back by it."),
  settings: z.record(z.string(), z.unknown()).describe("JSON Schema of its settings."),
  secrets: z
    .array(
      z.strictObject({
        name: z.string().describe("What the secret is for, as it is named in `secrets` of a source."),
        description: z.string().describe("What it is, and where it comes from."),
        required: z.boolean().describe("Whether the source can't do without it."),
      }),
    )
    .describe("Secrets that it needs."),
});
export type SourceTypeInfo = z.infer<typeof SourceTypeInfo>;

export const SourceTest = z.strictObject({
  name: z.string().describe("Name of the source."),
  ok: z.boolean().describe("Whether it works."),
  detail: z.string().describe("What was done and seen, or what went wrong, in one or two sentences."),
  hint: z.string().nullable().describe("What to do where it does not work; null where it does."),
});
export type SourceTest = z.infer<typeof SourceTest>;
