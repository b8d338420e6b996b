import { type Profile, ProfileStatus, type ProfileStep } from "@drydock/protocol";
import type { LedgerTransaction, ProfilesTable } from "../database/schema.ts";

export function profileFromRow(row: ProfilesTable): Profile {
  return {
    workspace: row.workspace,
    number: row.number,
    // A word that this version does not know must not pass for an approval.
    status: ProfileStatus.safeParse(row.status).data ?? "superseded",
    text: row.text,
    sources: JSON.parse(row.sources) as string[],
    history: JSON.parse(row.history) as ProfileStep[],
  };
}

export async function findProfiles(trx: LedgerTransaction, workspace: string): Promise<Profile[]> {
  const rows = await trx
    .selectFrom("profiles")
    .selectAll()
    .where("workspace", "=", workspace)
    .orderBy("number", "desc")
    .execute();
  return rows.map(profileFromRow);
}

/** Moves a profile on, and keeps who did it. */
export async function addProfileStep(trx: LedgerTransaction, profile: Profile, step: ProfileStep): Promise<Profile> {
  const next = { ...profile, status: step.status, history: [...profile.history, step] };
  await trx
    .updateTable("profiles")
    .set({ status: next.status, history: JSON.stringify(next.history) })
    .where("workspace", "=", profile.workspace)
    .where("number", "=", profile.number)
    .execute();
  return next;
}
