import type { Ledger } from "../../ledger/index.ts";
import type { CleanUp } from "./api.ts";
import { measureHome } from "./measure-home.ts";
import { pruneHome } from "./prune-home.ts";

export function createCleanUp(ledger: Ledger, home: string): CleanUp {
  return {
    prune: (options) => pruneHome(ledger, home, options),
    diskUsage: () => measureHome(ledger, home),
  };
}
