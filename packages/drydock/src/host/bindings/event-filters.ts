import type { BindingFilter, HostEvent } from "@drydock/protocol";

/*
 * Filters can be compared with each other, so that two bindings which could take the same event are found when the second one
 * is saved. That is why there are no patterns but a beginning, and why a list or an object has no text.
 */

/** The first filter that the event does not fit; undefined where it fits all. */
export function findMisfit(filters: readonly BindingFilter[], event: HostEvent): BindingFilter | undefined {
  return filters.find((filter) => !fits(filter, readField(event, filter.field)));
}

/** What an event has in a field. */
export function readField(event: HostEvent, field: string): unknown {
  let value: unknown = event;
  for (const name of field.split("."))
    value = typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  return value ?? null;
}

function fits({ op, values }: BindingFilter, value: unknown): boolean {
  const text = typeof value === "object" ? null : String(value);
  switch (op) {
    case "exists":
      return value !== null;
    case "missing":
      return value === null;
    case "is":
      return text !== null && values.includes(text);
    case "not":
      return text === null || !values.includes(text);
    case "prefix":
      return text !== null && values.some((start) => text.startsWith(start));
    default:
      return op satisfies never;
  }
}

/**
 * Whether one event could fit all of these filters. False only where that is certain: two bindings that are said to exclude
 * each other never take the same event.
 */
export function canFitTogether(filters: readonly BindingFilter[]): boolean {
  const fields = Map.groupBy(filters, ({ field }) => field);
  return [...fields.values()].every(canOneValueFit);
}

function canOneValueFit(filters: readonly BindingFilter[]): boolean {
  const valuesOf = (op: BindingFilter["op"]) => filters.filter((each) => each.op === op).map(({ values }) => values);
  if (filters.every(({ op }) => op === "not" || op === "missing")) return true;
  if (filters.some(({ op }) => op === "missing")) return false;
  const [first, ...others] = valuesOf("is");
  if (first) {
    const tests = filters.filter(({ op }) => op !== "is");
    const common = first.filter((value) => others.every((values) => values.includes(value)));
    return common.some((value) => tests.every((test) => fits(test, value)));
  }
  // Longer texts begin alike: one of them is always left, whatever `not` excludes.
  return valuesOf("prefix").reduce(combineStarts, [""]).length > 0;
}

/** Beginnings of the texts that begin with one of the first and one of the second. */
function combineStarts(starts: readonly string[], others: readonly string[]): string[] {
  const both = starts.flatMap((start) =>
    others.flatMap((other) => (start.startsWith(other) ? [start] : other.startsWith(start) ? [other] : [])),
  );
  return [...new Set(both)];
}

export function describeFilter({ field, op, values }: BindingFilter): string {
  const words = { is: "is", not: "is not", prefix: "begins with", exists: "exists", missing: "is missing" }[op];
  return [
    field,
    words,
    ...(values.length === 0 ? [] : [values.map((value) => JSON.stringify(value)).join(" or ")]),
  ].join(" ");
}
