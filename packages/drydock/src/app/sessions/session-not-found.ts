import { DrydockError } from "@drydock/protocol";
import type { SessionRecord } from "../../ledger/index.ts";

const HINT = "`drydock session list` shows the open ones; `drydock session open` starts another.";

/** Why there is no such session, as far as its record tells. */
export function sessionNotFound(id: string, record: SessionRecord | null): DrydockError {
  if (!record) {
    return new DrydockError("session.not_found", `There is no session ${id}.`, HINT, { sessionId: id });
  }
  const { closedAt, reason, holder } = record;
  const data = { sessionId: id, closedAt, reason: reason ?? (holder.isAlive ? "elsewhere" : "holder_ended") };
  return new DrydockError("session.not_found", `There is no session ${id} any more: ${explain(record)}.`, HINT, data);
}

function explain({ reason, closedAt, idleSeconds, holder }: SessionRecord): string {
  const when = closedAt === null ? "" : ` at ${closedAt.replace(/\.\d+Z$/, "Z")}`;
  switch (reason) {
    case "idle":
      return `it was closed${when}, as nobody had used it for ${idleSeconds} s (the policy's sessions.idleSeconds)`;
    case "closed":
      return `its user closed it${when}`;
    case "ended":
      return `its interpreter ended${when}`;
    case "dock":
      return `it was closed${when}, together with the Drydock process that held it`;
    case null:
      if (holder.isAlive && holder.machine !== null)
        return `it is on the machine ${holder.machine}, in process ${holder.pid}; sessions stay where they were opened`;
      return holder.isAlive
        ? `it belongs to another Drydock process (${holder.pid}), and is used there`
        : "the Drydock process that held it has ended";
    default:
      return reason satisfies never;
  }
}
