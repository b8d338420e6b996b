import { hash } from "node:crypto";
import { type BoxScopePart, boxScopeParts, DrydockError, type HostEvent } from "@drydock/protocol";

export interface ScopeKey {
  /** Equal for runs that share a box. */
  key: string;
  /** For people. Two different boxes may look the same here. */
  text: string;
}

type Identity = Pick<HostEvent, "conversation" | "actor" | "synthetic">;
type Fact = string | null;

const VERSION = 1;

/**
 * What a scope stands for in one event. The key is made of the facts as JSON, not of the filled-in text, in which `a_b` and `c`
 * would look like `a` and `b_c`. It also holds the agent: agents do not share boxes, because each has grants of its own.
 */
export function scopeKey(agentId: string, scope: string, event: Identity): ScopeKey {
  const parts = boxScopeParts(scope);
  const facts = parts.map((part) => factsOf(part, event));
  const missing = parts.find((_, index) => facts[index]?.at(-1) === null);
  if (missing !== undefined) {
    const hint = "Send events that name it, or give the agent another scope: `drydock agent edit NAME --box '{…}'`.";
    const message = `This event has no ${missing}, and the box is shared by ${scope}.`;
    throw new DrydockError("input.invalid", message, hint, { scope, part: missing });
  }
  const trial = event.synthetic ? ["synthetic"] : [];
  let at = 0;
  const text = scope.replaceAll(/\{[^{}]*\}/g, () => facts[at++]?.at(-1) ?? "");
  return { key: hash("sha256", JSON.stringify([VERSION, agentId, scope, facts, ...trial])), text: text.slice(0, 200) };
}

/** The last one is what the part itself stands for. Ids of places and people mean something to one bot of one workspace only. */
function factsOf(part: BoxScopePart, { conversation, actor }: Identity): Fact[] {
  const { bot_id, workspace_id, conversation_id, thread_id, launcher_type, launcher_id } = conversation ?? {};
  const at = [workspace_id ?? null, bot_id ?? null];
  const isLaunched = Boolean(launcher_type && launcher_id);
  switch (part) {
    case "conversation":
      return [...at, conversation_id ?? null];
    case "thread":
      return [...at, conversation_id ?? null, thread_id ?? null];
    case "actor":
      return [...at, actor?.actor_type ?? null, actor?.actor_id ?? null];
    case "launcher_type":
      return [String(isLaunched), isLaunched ? (launcher_type ?? null) : "conversation"];
    case "launcher_id":
      return [...at, String(isLaunched), (isLaunched ? launcher_id : conversation_id) ?? null];
    case "workspace":
      return [workspace_id ?? null];
    case "bot":
      return at;
    case "global":
      return ["global"];
    default:
      return part satisfies never;
  }
}
