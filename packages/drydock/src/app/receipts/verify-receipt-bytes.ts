import { loadReceiptFormat, type VerifiedReceipt } from "../../engine/index.ts";
import { readPinnedKey } from "./read-pinned-key.ts";

/** Verifies a receipt; `key` is the key that must have signed it, as PEM or by its id. Needs no home. */
export async function verifyReceiptBytes(bytes: Uint8Array, key?: string): Promise<VerifiedReceipt> {
  const { verifyReceipt } = await loadReceiptFormat();
  return verifyReceipt(bytes, key === undefined ? null : readPinnedKey(key));
}
