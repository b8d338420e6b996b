import { rmSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import { type Ledger, type LedgerOptions, openLedger, readOwner } from "../../../src/ledger/index.ts";
import { makeHome, NO_SECRETS } from "../../../src/ledger/testing/open-test-ledger.ts";
import { databaseOf, giveBackDatabase } from "../../../src/ledger/testing/postgres/test-databases.ts";

export interface Member {
  home: string;
  ledger: Ledger;
}

export interface Members {
  address(): string;
  /** Another home on the same database, as on another machine. */
  join(options?: Partial<LedgerOptions>): Promise<Member>;
}

/** One database for the tests of a file, and any number of homes that share it. */
export function useMembers(): Members {
  const opened: Member[] = [];
  const first = makeHome();
  let address = "";
  beforeAll(() => {
    address = databaseOf(first) ?? "";
  });
  afterAll(async () => {
    for (const { ledger } of opened) await ledger.close();
    giveBackDatabase(first);
    for (const home of [first, ...opened.map((member) => member.home)]) rmSync(home, { recursive: true, force: true });
  });
  return {
    address: () => address,
    async join(options = {}) {
      const home = options.home ?? makeHome();
      const ledger = await openLedger({
        ...{ redactor: NO_SECRETS, owner: readOwner(), databaseUrl: address },
        ...options,
        home,
      });
      const member = { home, ledger };
      opened.push(member);
      return member;
    },
  };
}
