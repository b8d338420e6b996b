import { hash } from "node:crypto";
import type { HostEvent } from "@drydock/protocol";
import type { StateScope } from "@drydock/protocol/runner";
import type { AccessSnapshot } from "./snapshot.ts";

const VERSION = 1;

type StateIdentity = Pick<HostEvent, "conversation" | "actor" | "subject"> & Partial<Pick<HostEvent, "synthetic">>;

/** Under which key the state of a scope is kept. Two runs share it only where all of its identities are the same. */
export function stateScopeKey(
  scope: StateScope,
  snapshot: Pick<AccessSnapshot, "runnerId" | "agent" | "botId" | "workspaceId">,
  { conversation, actor, subject, synthetic = false }: StateIdentity,
): string {
  const { runnerId, agent, botId, workspaceId } = snapshot;
  const own = {
    conversation: [conversation?.conversation_id ?? null, conversation?.thread_id ?? null],
    actor: [actor?.actor_type ?? null, actor?.actor_id ?? null],
    subject: [subject?.subject_type ?? null, subject?.subject_id ?? null],
    runner: [],
  }[scope];
  const trial = synthetic ? ["synthetic"] : [];
  return hash("sha256", JSON.stringify([VERSION, scope, runnerId, agent, botId, workspaceId, ...own, ...trial]));
}
