import { hash } from "node:crypto";
import { DrydockError, type EffectivePolicy } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { createPathRules } from "../../policy/index.ts";
import { holdsSecret } from "../runs/record/kept-content.ts";
import type { TaskLocation } from "./stage.ts";

type Files = TaskLocation["files"];

/** Directories in which Drydock looks for what an owner of a workspace has set up. */
const OWN = /^\.drydock(\/|$)/;

/** Refuses attachments that the code would not see: who sent one would not learn why. */
export function refuseHidden(files: Files, policy: EffectivePolicy): void {
  const rules = createPathRules(policy);
  const found = files.find(({ name }) => OWN.test(name) || rules.hidden(name));
  if (!found) return;
  const reason = OWN.test(found.name) ? "`.drydock` is not for attachments" : "the policy hides it (`files.hide`)";
  const message = `Code can't see an attachment of the name ${JSON.stringify(found.name)}: ${reason}.`;
  throw new DrydockError("policy.path_denied", message, "Give it another name.", { path: found.name });
}

/** Attachments as the record names them. One that holds a secret has no hash: it is not kept. */
export function describeAttachments(
  ledger: Pick<Ledger, "redact">,
  files: Files,
): { name: string; size: number; sha256?: string }[] {
  return files.map(({ name, bytes }) => ({
    ...{ name, size: bytes.length },
    ...(!holdsSecret(ledger, bytes) && { sha256: hash("sha256", bytes) }),
  }));
}

/** Keeps attachments for replays. */
export async function keepAttachments(
  ledger: Pick<Ledger, "blobs" | "redact">,
  runId: string,
  files: Files,
): Promise<void> {
  const kept = files.filter(({ bytes }) => !holdsSecret(ledger, bytes)).map(({ bytes }) => bytes);
  if (kept.length > 0) await ledger.blobs.putAll(kept, { runId });
}
