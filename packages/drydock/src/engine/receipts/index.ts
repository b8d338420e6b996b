export { buildStatements, hashValue } from "./build-statements.ts";
export type { PinnedKey } from "./open-receipt.ts";
export { type VerifiedReceipt, verifyReceipt } from "./verify-receipt.ts";
