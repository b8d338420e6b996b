import { showAddress } from "../../ledger/index.ts";
import { readConfig } from "../config.ts";

/** The address of the database that this process records in, without its password; null is that of the home. */
export function ownLedger(): string | null {
  const { databaseUrl } = readConfig();
  return databaseUrl && showAddress(databaseUrl);
}
