import { canonicalJson, type Ledger } from "../../ledger/index.ts";
import type { Audit } from "./api.ts";

export function createAudit(ledger: Ledger): Audit {
  return {
    verify: (options) => ledger.verify(options),
    async anchor() {
      const { head, envelope } = await ledger.signHead();
      return { head, envelope, line: `${canonicalJson(envelope)}\n` };
    },
    search: (options) => ledger.searchEvents(options),
    export: () => ledger.exportAudit(),
  };
}
