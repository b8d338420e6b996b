import { BINDING_SCOPES, type Binding, type BindingScope, type HostEvent, type Route } from "@drydock/protocol";

/** Narrower scopes win. */
const NARROWNESS = Object.fromEntries(BINDING_SCOPES.map((scope, index) => [scope, index])) as Record<
  BindingScope,
  number
>;

/** Exactly one binding takes an event: the narrowest scope, then the most exact type, then the highest priority. */
export function chooseBinding(bindings: readonly Binding[], event: HostEvent): Route {
  const fitting = bindings.filter((binding) => fits(binding, event)).sort(compareBindings);
  const [first, ...rest] = fitting;
  if (!first) return { binding: null, agent: null, reason: explainNone(bindings, event), others: [] };
  return {
    binding: first,
    agent: first.agent ?? null,
    reason: explainChoice(first, rest[0]),
    others: rest.map((other) => ({ id: other.id, reason: explainLoss(other, first) })),
  };
}

function fits({ scope, value, event: pattern }: Binding, event: HostEvent): boolean {
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

function explainNone(bindings: readonly Binding[], event: HostEvent): string {
  if (bindings.length === 0) return "There are no bindings.";
  const typed = bindings.filter((binding) => matchesType(binding.event, event.type));
  if (typed.length === 0) return `No binding is for events of the type ${event.type}.`;
  return `${typed.length} bindings are for ${event.type}, and the event is in the scope of none of them.`;
}

function describe({ scope, value, event }: Binding): string {
  return `${event}, ${scope === "global" ? "everywhere" : `${scope} ${value}`}`;
}
