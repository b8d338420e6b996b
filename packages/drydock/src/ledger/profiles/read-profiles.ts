import type { Profile, WorkspaceProfiles } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";
import { profileFromRow } from "./profile-row.ts";

const MAX_EARLIER = 50;
const MAX_PENDING = 1000;

export async function readProfiles(context: LedgerContext, workspace: string): Promise<WorkspaceProfiles> {
  const rows = await read(context, (db) =>
    db.selectFrom("profiles").selectAll().where("workspace", "=", workspace).orderBy("number", "desc").execute(),
  );
  const profiles = rows.map(profileFromRow);
  return {
    workspace,
    approved: profiles.find(({ status }) => status === "approved") ?? null,
    proposed: profiles.find(({ status }) => status === "proposed") ?? null,
    earlier: profiles.filter(({ status }) => status === "rejected" || status === "superseded").slice(0, MAX_EARLIER),
  };
}

/** There are few: at most one of each workspace. */
export async function readPendingProfiles(context: LedgerContext): Promise<Profile[]> {
  const rows = await read(context, (db) =>
    db
      .selectFrom("profiles")
      .selectAll()
      .where("status", "=", "proposed")
      .orderBy("workspace")
      .limit(MAX_PENDING)
      .execute(),
  );
  return rows.map(profileFromRow);
}
