import type { Profile } from "@drydock/protocol";
import { type LedgerContext, write } from "../ledger-context.ts";
import { toStorableText } from "../to-storable-text.ts";
import { addProfileStep, findProfiles } from "./profile-row.ts";

export interface ProposedProfile {
  workspace: string;
  text: string;
  sources: readonly string[];
  by: string;
  reason: string;
}

/** Adds a proposal. It takes the place of one that waits; the same words again are the same proposal. */
export async function proposeProfile(context: LedgerContext, proposed: ProposedProfile): Promise<Profile> {
  const { workspace, sources } = proposed;
  const [text, by, reason] = [proposed.text, proposed.by, proposed.reason].map((each) => toStorableText(context, each));
  const at = context.now().toISOString();
  return write(context, async (trx) => {
    const known = await findProfiles(trx, workspace);
    const waiting = known.find(({ status }) => status === "proposed");
    if (waiting && waiting.text === text) return waiting;
    const profile: Profile = {
      workspace,
      number: (known[0]?.number ?? 0) + 1,
      status: "proposed",
      text: text ?? "",
      sources: [...sources],
      history: [{ status: "proposed", by: by ?? "", at, reason: reason ?? "" }],
    };
    if (waiting) {
      const because = `Number ${profile.number} was proposed.`;
      await addProfileStep(trx, waiting, { status: "superseded", by: by ?? "", at, reason: because });
    }
    const row = { ...profile, sources: JSON.stringify(profile.sources), history: JSON.stringify(profile.history) };
    await trx.insertInto("profiles").values(row).execute();
    return profile;
  });
}
