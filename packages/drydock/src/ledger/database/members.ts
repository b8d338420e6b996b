import type { PublicKeyInfo } from "@drydock/protocol";
import type { LedgerDatabase } from "./schema.ts";

/** The homes that use one database, each on its machine, and the keys that they sign with. */
export interface Members {
  /** This home's. */
  readonly own: string;
  /** From then on, what this key signs verifies on every member. */
  addKey(key: PublicKeyInfo): Promise<void>;
  /** Of all members, those of the past included; `db` may be one moment of the database. */
  listKeys(db: LedgerDatabase): Promise<PublicKeyInfo[]>;
}
