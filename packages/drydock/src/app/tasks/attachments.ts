import { hash } from "node:crypto";
import type { Ledger } from "../../ledger/index.ts";
import { holdsSecret } from "../runs/record/kept-content.ts";
import type { TaskLocation } from "./stage.ts";

type Files = TaskLocation["files"];

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
