import { DrydockError, type Profile } from "@drydock/protocol";
import { type LedgerContext, write } from "../ledger-context.ts";
import { toStorableText } from "../to-storable-text.ts";
import { addProfileStep, findProfiles } from "./profile-row.ts";

export interface DecidedProfile {
  workspace: string;
  decision: "approved" | "rejected";
  /** Default: the one that waits. With an id, the decision is about exactly the version that was read. */
  number?: number;
  by: string;
  reason: string;
}

/** A person's word on a proposal. Rejecting where nothing waits withdraws the one in force. */
export async function decideProfile(context: LedgerContext, decided: DecidedProfile): Promise<Profile> {
  const { workspace, decision, number } = decided;
  const [by = "", reason = ""] = [decided.by, decided.reason].map((text) => toStorableText(context, text));
  const at = context.now().toISOString();
  return write(context, async (trx) => {
    const known = await findProfiles(trx, workspace);
    const approved = known.find(({ status }) => status === "approved");
    const chosen =
      number === undefined
        ? (known.find(({ status }) => status === "proposed") ?? (decision === "rejected" ? approved : undefined))
        : known.find((profile) => profile.number === number);
    if (!chosen) throw notThere(workspace, number);
    if (chosen.status === decision) return chosen;
    if (decision === "approved" && approved) {
      const because = `Number ${chosen.number} was approved.`;
      await addProfileStep(trx, approved, { status: "superseded", by, at, reason: because });
    }
    return addProfileStep(trx, chosen, { status: decision, by, at, reason });
  });
}

function notThere(workspace: string, number: number | undefined): DrydockError {
  return new DrydockError(
    "input.invalid",
    number === undefined
      ? `No profile of ${workspace} waits for a decision.`
      : `There is no profile number ${number} of ${workspace}.`,
    "`drydock profile get` shows the profiles; `drydock profile propose` creates one.",
    { workspace },
  );
}
