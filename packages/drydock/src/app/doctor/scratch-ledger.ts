import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRedactor, type Ledger, openLedger, readOwner } from "../../ledger/index.ts";

/** A ledger of its own for the runs that only try things out: the owner's list of runs is not theirs. */
export async function useScratchLedger<T>(temporary: string, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(temporary, "drydock-doctor-"));
  try {
    const redactor = createRedactor({ environment: {}, allowedNames: () => true, patterns: [] });
    const ledger = await openLedger({ home, owner: readOwner(), redactor });
    try {
      return await use(ledger);
    } finally {
      await ledger.close();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
