import { DrydockError } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { Keys } from "./api.ts";

/** The public side of a home's keys. The private half never leaves the ledger's room. */
export function createKeys({ keys }: Pick<Ledger, "keys">): Keys {
  return {
    list: () => keys.list(),
    async current() {
      const { id } = (await keys.current()).info;
      const found = (await keys.list()).find((key) => key.id === id);
      if (found) return found;
      throw new DrydockError(
        "internal",
        "The signing key has no public half.",
        "Check the files in DRYDOCK_HOME/keys.",
      );
    },
    rotate: () => keys.rotate(),
  };
}
