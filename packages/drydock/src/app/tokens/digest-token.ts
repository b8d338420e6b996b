import { createHash } from "node:crypto";

/** Tokens are kept and compared as these: all have one length, and none can be turned back into its token. */
export function digestToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
