import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Members } from "../../members.ts";
import type { LedgerDatabase } from "../../schema.ts";

const SEEN_EVERY_MS = 60_000;

/** Puts this home on the list, or notes that it was here. */
export async function joinMembers(db: LedgerDatabase, home: string, now: () => Date): Promise<Members> {
  const id = readHomeId(home);
  const at = now().toISOString();
  const seen = { host: hostname(), home, seen_at: at };
  const known = await db.selectFrom("members").selectAll().where("id", "=", id).executeTakeFirst();
  const isRecent = known && Date.parse(at) - Date.parse(known.seen_at) < SEEN_EVERY_MS;
  // A command every second need not write every second.
  if (!isRecent || known.host !== seen.host || known.home !== home) {
    await db
      .insertInto("members")
      .values({ id, ...seen, joined_at: at })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(seen))
      .execute();
  }
  return createMembers(db, id, now);
}

export function createMembers(db: LedgerDatabase, own: string, now: () => Date): Members {
  const added = new Set<string>();
  return {
    own,
    async addKey({ id, spki }) {
      if (added.has(id)) return;
      await db
        .insertInto("member_keys")
        .values({ id, member: own, spki, added_at: now().toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      added.add(id);
    },
    listKeys: (moment) => moment.selectFrom("member_keys").select(["id", "spki"]).orderBy("id").execute(),
  };
}

/** Made with the first use; who copies a home copies it, and is the same member. */
export function readHomeId(home: string): string {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = join(home, "home-id");
  if (!existsSync(file)) {
    // Two processes may meet here: the first one makes it, and nobody reads half of it.
    const id = randomUUID();
    const unnamed = `${file}.${id}`;
    writeFileSync(unnamed, id, { mode: 0o600 });
    try {
      linkSync(unnamed, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(unnamed, { force: true });
    }
  }
  return readFileSync(file, "utf8");
}
