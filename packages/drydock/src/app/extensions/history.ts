import type { Ledger } from "../../ledger/index.ts";
import type { Extensions } from "./api.ts";

export function createHistory({ capabilities }: Pick<Ledger, "capabilities">): Extensions["history"] {
  return async (options = {}) => {
    const { runs, nextCursor } = await capabilities.list(options);
    return { runs, cursor: nextCursor };
  };
}
