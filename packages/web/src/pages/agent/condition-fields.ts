import type { HostAgent, HostAgentChanges } from "@drydock/protocol";
import { defineField, type Field, type FormValues } from "../../forms/field.ts";
import type { Translate } from "../../words/words.ts";

type Condition = "timeoutSeconds" | "approvalSeconds" | "streaming" | "reply" | "maxMessageChars" | "boxScope";

/** Time, delivery, and the box, which have places of their own in an agent. */
export function createConditionFields(forcedScope: string | null, t: Translate): Field[] {
  const texts = (name: Condition) => ({ name, label: t(`condition.${name}`), description: t(`conditionText.${name}`) });
  return [
    defineField({ ...texts("timeoutSeconds"), kind: "number", initial: 300, isRequired: true }),
    defineField({ ...texts("approvalSeconds"), kind: "number", initial: 86_400, isRequired: true }),
    defineField({ ...texts("streaming"), kind: "boolean", initial: true }),
    defineField({ ...texts("reply"), kind: "boolean", initial: true }),
    defineField({ ...texts("maxMessageChars"), kind: "integer" }),
    defineField({
      ...{ ...texts("boxScope"), kind: "text", initial: "{launcher_type}_{launcher_id}", isRequired: true },
      lock: forcedScope === null ? null : t("condition.forcedScope"),
    }),
  ];
}

/** A scope that the owner's settings force is shown in place of the agent's own. */
export function readConditions({
  timeoutSeconds,
  approvalSeconds,
  delivery,
  box,
  forcedBoxScope,
}: HostAgent): FormValues {
  const { streaming, reply, maxMessageChars } = delivery;
  const boxScope = forcedBoxScope ?? box.scope;
  return { timeoutSeconds, approvalSeconds, streaming, reply, boxScope, maxMessageChars: maxMessageChars ?? undefined };
}

export function toChanges(values: FormValues, isScopeForced: boolean): HostAgentChanges {
  const { timeoutSeconds, approvalSeconds, streaming, reply, maxMessageChars, boxScope } = values;
  return {
    ...{ timeoutSeconds: Number(timeoutSeconds), approvalSeconds: Number(approvalSeconds) },
    delivery: {
      ...{ streaming: streaming === true, reply: reply === true },
      maxMessageChars: maxMessageChars === undefined ? null : Number(maxMessageChars),
    },
    ...(!isScopeForced && { box: { scope: String(boxScope) } }),
  };
}
