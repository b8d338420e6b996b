import type { Approval } from "@drydock/protocol";
import type { Ledger } from "../../../ledger/index.ts";

/** What was recorded of an action that waits for an approval. Null for an approval of an extension's call. */
export async function readAction(
  ledger: Pick<Ledger, "events">,
  { runId }: Approval,
): Promise<{ expiresAt: string; kept: string } | null> {
  const [created] = await ledger.events(runId, { limit: 1 });
  const { hostAction, capability } = created?.data ?? {};
  if (typeof hostAction !== "object" || hostAction === null) return null;
  const { expiresAt, kept } = { ...hostAction, ...Object(capability) } as Record<string, unknown>;
  return { expiresAt: String(expiresAt), kept: String(kept) };
}
