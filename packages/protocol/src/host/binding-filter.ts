import * as z from "zod";

/** Fields of an event that a filter can test, besides those below `data`. */
const FILTER_FIELDS = [
  "source",
  "source_event_type",
  "conversation.conversation_id",
  "conversation.thread_id",
  "conversation.bot_id",
  "conversation.workspace_id",
  "conversation.launcher_type",
  "conversation.launcher_id",
  "actor.actor_type",
  "actor.actor_id",
  "subject.subject_type",
  "subject.subject_id",
  "delivery.surface",
  "input.text",
] as const;

const DATA_FIELD = /^data(\.[A-Za-z0-9_-]{1,64}){1,8}$/;
const FIELD_PROBLEM = `a field is \`data.NAME\` or one of ${FILTER_FIELDS.join(", ")}`;

export const FILTER_OPS = ["is", "not", "prefix", "exists", "missing"] as const;

/** A test of one field of an event. All filters of a binding have to fit. */
export const BindingFilter = z
  .strictObject({
    field: z
      .string()
      .refine((field) => (FILTER_FIELDS as readonly string[]).includes(field) || DATA_FIELD.test(field), FIELD_PROBLEM)
      .describe("The field of the event, such as `input.text`, `actor.actor_id` or `data.repository.name`."),
    op: z
      .enum(FILTER_OPS)
      .describe(
        "`is`: the field is one of the values; `not`: it is none of them, or not there; `prefix`: it begins with one of them; `exists` and `missing`: whether it is there.",
      ),
    values: z
      .array(z.string().min(1).max(255))
      .max(50)
      .default([])
      .describe("Texts that the field is compared with, exactly. Numbers and booleans are compared as text."),
  })
  .refine(({ op, values }) => (op === "exists" || op === "missing") === (values.length === 0), {
    path: ["values"],
    error: "`is`, `not` and `prefix` need at least one value, `exists` and `missing` have none",
  });
export type BindingFilter = z.infer<typeof BindingFilter>;
