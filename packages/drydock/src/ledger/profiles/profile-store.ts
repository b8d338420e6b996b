import type { Profile, WorkspaceProfiles } from "@drydock/protocol";
import type { LedgerContext } from "../ledger-context.ts";
import { type DecidedProfile, decideProfile } from "./decide-profile.ts";
import { type FailedCheck, listFailedChecks } from "./list-failed-checks.ts";
import { type ProposedProfile, proposeProfile } from "./propose-profile.ts";
import { readPendingProfiles, readProfiles } from "./read-profiles.ts";

/*
 * proposed ──► approved ──► superseded     another was approved
 *     │            └──────► rejected       it was withdrawn
 *     ├──────► rejected                    any that is no longer in force can be approved again by its number
 *     └──────► superseded                  another was proposed
 *
 * At most one of a workspace is proposed, and at most one is approved. Nothing is ever removed.
 */
export interface ProfileStore {
  read(workspace: string): Promise<WorkspaceProfiles>;
  /** Proposals of all workspaces that wait for a decision, by workspace. */
  pending(): Promise<Profile[]>;
  propose(profile: ProposedProfile): Promise<Profile>;
  decide(decision: DecidedProfile): Promise<Profile>;
  /** What failed in earlier runs of the workspace, the newest run first. */
  failedChecks(workspace: string): Promise<FailedCheck[]>;
}

/** Profiles live with the ledger, never in the workspace: a cloned repository can't bring an approved one along. */
export function createProfileStore(context: LedgerContext): ProfileStore {
  return {
    read: (workspace) => readProfiles(context, workspace),
    pending: () => readPendingProfiles(context),
    propose: (profile) => proposeProfile(context, profile),
    decide: (decision) => decideProfile(context, decision),
    failedChecks: (workspace) => listFailedChecks(context, workspace),
  };
}
