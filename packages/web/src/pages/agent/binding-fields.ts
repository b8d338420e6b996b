import { BINDING_SCOPES, type Binding, type NewBinding } from "@drydock/protocol";
import { defineField, type Field, type FormValues } from "../../forms/field.ts";
import type { Translate } from "../../words/words.ts";
import { readFilter, writeFilter } from "./filter-text.ts";

const EVENTS = ["message.received", "message.*", "member.joined", "schedule.fired", "*"];
const FILTERS = ["input.text^=/", "actor.actor_type!=bot", "delivery.surface=", "data."];

export function createBindingFields(t: Translate): Field[] {
  const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  const texts = (name: "event" | "scope" | "value" | "filters" | "priority") => {
    return { name, label: t(`binding.${name}`), description: t(`bindingText.${name}`) };
  };
  return [
    defineField({
      ...texts("event"),
      kind: "text",
      initial: "message.received",
      isRequired: true,
      options: options(EVENTS),
    }),
    defineField({
      ...{ ...texts("scope"), kind: "select", initial: "global" },
      options: BINDING_SCOPES.map((value) => ({ value, label: t(`scopeOf.${value}`) })),
    }),
    defineField({
      ...{ ...texts("value"), kind: "text", isRequired: true },
      showIf: { field: "scope", value: BINDING_SCOPES.filter((scope) => scope !== "global") },
    }),
    defineField({ ...texts("filters"), kind: "list", initial: [], options: options(FILTERS) }),
    defineField({ ...texts("priority"), kind: "integer", initial: 0 }),
  ];
}

export function fromBinding({ event, scope, value, filters, priority }: Binding): FormValues {
  return { event, scope, value: value ?? "", priority, filters: filters.map(writeFilter) };
}

const textsOf = (value: unknown) =>
  Array.isArray(value) ? value.map(String).filter((text) => text.trim() !== "") : [];

/** Filters that can't be read. */
export function findBadFilter({ filters }: FormValues): string | undefined {
  return textsOf(filters).find((text) => readFilter(text) === null);
}

export function toBinding(agent: string, values: FormValues): Partial<NewBinding> & { agent: string } {
  const scope = BINDING_SCOPES.find((each) => each === values.scope) ?? "global";
  return {
    ...{ agent, scope, event: String(values.event), priority: Number(values.priority ?? 0) },
    value: scope === "global" ? null : String(values.value),
    filters: textsOf(values.filters).flatMap((text) => readFilter(text) ?? []),
  };
}
