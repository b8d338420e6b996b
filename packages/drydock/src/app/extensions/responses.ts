import type { Ledger } from "../../ledger/index.ts";
import type { Responses } from "./api.ts";

/** Responses of extensions, for their callers. */
export function createResponses({ responses }: Pick<Ledger, "responses">): Responses {
  return {
    last: (session) => responses.last(session),
    history: (session, options) => responses.history(session, options),
    read: (id) => responses.read(id),
    totals: (session) => responses.totals(session),
    clear: (session) => responses.clear(session),
  };
}
