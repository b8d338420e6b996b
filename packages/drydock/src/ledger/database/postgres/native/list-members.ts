import type { MemberInfo } from "../../database-status.ts";
import type { LedgerDatabase } from "../../schema.ts";

export async function listMembers(db: LedgerDatabase): Promise<MemberInfo[]> {
  const rows = await db
    .selectFrom("members as m")
    .leftJoin("member_keys as k", "k.member", "m.id")
    .select(["m.id", "m.host", "m.home", "m.joined_at as joinedAt", "m.seen_at as seenAt"])
    .select(({ fn }) => fn.count<number>("k.id").as("keys"))
    .groupBy("m.id")
    .orderBy("m.joined_at")
    .execute();
  return rows.map((row) => ({ ...row, keys: Number(row.keys) }));
}
