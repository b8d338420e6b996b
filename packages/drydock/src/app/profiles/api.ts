import type { Profile, WorkspaceProfiles } from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { ProfilePorts } from "./create-profiles.ts";

export interface ProposeOptions {
  workspace: string;
  by: string;
  reason?: string;
  /** A person's own words; without them the proposal is drawn from the workspace. */
  text?: string;
  /** The model that adds to it. Default: as configured; `false`: none. */
  model?: string | false;
  signal?: AbortSignal;
}

export interface DecideOptions {
  workspace: string;
  by: string;
  reason?: string;
  /** Which one, as `get` numbers them; default: the one that waits. */
  number?: number;
}

/**
 * Text about a workspace for prompts, used once a person has approved it. It is text: it allows nothing and runs
 * nothing.
 */
export interface Profiles {
  get(workspace: string): Promise<WorkspaceProfiles>;
  /** Proposals of all workspaces that wait for a decision. */
  pending(): Promise<Profile[]>;
  propose(options: ProposeOptions): Promise<{ profile: Profile; warning: string | null }>;
  approve(options: DecideOptions): Promise<Profile>;
  /** Rejects the proposal that waits or, where none does, withdraws the profile in force. */
  reject(options: DecideOptions): Promise<Profile>;
  /** The very text that prompts get; null where none is approved. */
  approvedText(workspace: string): Promise<string | null>;
}

/** @internal */
export function openProfiles(ports: ProfilePorts): Profiles {
  const later = loadLater(async () => (await import("./create-profiles.ts")).createProfiles(ports));
  return {
    get: later((profiles) => profiles.get),
    pending: later((profiles) => profiles.pending),
    propose: later((profiles) => profiles.propose),
    approve: later((profiles) => profiles.approve),
    reject: later((profiles) => profiles.reject),
    approvedText: later((profiles) => profiles.approvedText),
  };
}
