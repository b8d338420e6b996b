import { BINDING_SCOPES, type Binding, type BindingScope, type HostEvent, type Route } from "@drydock/protocol";
import { shortenLine } from "../../base/text/index.ts";
import { describeFilter, findMisfit, readField } from "./event-filters.ts";

/** Narrower scopes win. */
const NARROWNESS = Object.fromEntries(BINDING_SCOPES.map((scope, index) => [scope, index])) as Record<
  BindingScope,
  number
>;

/** Of the bindings that an event fits exactly one takes it: the narrowest scope, then the most exact type, then the highest priority. */
export function chooseBinding(bindings: readonly Binding[], event: HostEvent): Route {
  const inScope = bindings.filter((binding) => isInScope(binding, event)).sort(compareBindings);
  const [first, ...rest] = inScope.filter(({ filters }) => !findMisfit(filters, event));
  const misfits = inScope.flatMap((other) => {
    const reason = explainMisfit(other, event);
    return reason === null ? [] : [{ id: other.id, reason }];
  });
  if (!first) return { binding: null, agent: null, reason: explainNone(bindings, event), others: misfits };
  return {
    binding: first,
    agent: first.agent ?? null,
    reason: explainChoice(first, rest[0]),
    others: [...rest.map((other) => ({ id: other.id, reason: explainLoss(other, first) })), ...misfits],
  };
}

function isInScope({ scope, value, event: pattern }: Binding, event: HostEvent): boolean {
  return matchesType(pattern, event.type) && (scope === "global" || value === scopeValue(scope, event));
}

/** The id that an event has for a scope; null where it has none. */
function scopeValue(scope: Exclude<BindingScope, "global">, { conversation, actor }: HostEvent): string | null {
  const ids = {
    workspace: conversation?.workspace_id,
    bot: conversation?.bot_id,
    channel: conversation?.launcher_id,
    conversation: conversation?.conversation_id,
    thread: conversation?.thread_id,
    actor: actor?.actor_id,
  };
  return ids[scope] ?? null;
}

function matchesType(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1));
}

/** An exact type before `ns.*` before `*`; of two name spaces the longer. */
function exactness(pattern: string): number {
  if (pattern === "*") return 0;
  return pattern.endsWith(".*") ? pattern.length : Number.POSITIVE_INFINITY;
}

const RANKS = [
  { name: "its scope is narrower", of: ({ scope }: Binding) => NARROWNESS[scope] },
  { name: "its event type is more exact", of: ({ event }: Binding) => exactness(event) },
  { name: "its priority is higher", of: ({ priority }: Binding) => priority },
] as const;

function compareBindings(a: Binding, b: Binding): number {
  for (const { of } of RANKS) if (of(a) !== of(b)) return of(b) > of(a) ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

function explainChoice(first: Binding, second: Binding | undefined): string {
  const what = `${first.id} (${describe(first)})`;
  if (!second) return `Only ${what} fits.`;
  const rank = RANKS.find(({ of }) => of(first) !== of(second));
  return `${what} was taken before ${second.id}: ${rank?.name ?? "it is older"}.`;
}

function explainLoss(other: Binding, first: Binding): string {
  const rank = RANKS.find(({ of }) => of(first) !== of(other));
  return `${describe(other)}; ${first.id} was taken: ${rank?.name ?? "it is older"}`;
}

/** Null where the event fits its filters. */
function explainMisfit(binding: Binding, event: HostEvent): string | null {
  const misfit = findMisfit(binding.filters, event);
  if (!misfit) return null;
  const value = readField(event, misfit.field);
  const found = value === null ? "has none" : `has ${shortenLine(JSON.stringify(value), SHOWN_CHARS)}`;
  return `${describe(binding)}; its filter \`${describeFilter(misfit)}\` does not fit: the event ${found}`;
}

const SHOWN_CHARS = 80;

function explainNone(bindings: readonly Binding[], event: HostEvent): string {
  if (bindings.length === 0) return "There are no bindings.";
  const typed = bindings.filter((binding) => matchesType(binding.event, event.type));
  if (typed.length === 0) return `No binding is for events of the type ${event.type}.`;
  if (!typed.some((binding) => isInScope(binding, event)))
    return `${typed.length} bindings are for ${event.type}, and the event is in the scope of none of them.`;
  return "The event does not fit the filters of any binding that is for its type and scope.";
}

function describe({ scope, value, event, filters }: Binding): string {
  const where = scope === "global" ? "everywhere" : `${scope} ${value}`;
  return [event, where, ...filters.map(describeFilter)].join(", ");
}
