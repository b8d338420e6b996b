import * as z from "zod";

/** `superseded`: another proposal, or another approval, took its place. */
export const ProfileStatus = z.enum(["proposed", "approved", "rejected", "superseded"]);
export type ProfileStatus = z.infer<typeof ProfileStatus>;

/** One step in a profile's life: who took it, when and why. */
export const ProfileStep = z.object({ status: ProfileStatus, by: z.string(), at: z.string(), reason: z.string() });
export type ProfileStep = z.infer<typeof ProfileStep>;

/**
 * What a person approved that models be told about a workspace. It is text and nothing else: no part of it is read as
 * policy, as a template or as a command.
 */
export const Profile = z.object({
  workspace: z.string(),
  /** Counted from 1 in each workspace. */
  number: z.number().int(),
  status: ProfileStatus,
  text: z.string(),
  /** What it was drawn from: `rules`, `model …`, `person`. */
  sources: z.array(z.string()),
  history: z.array(ProfileStep),
});
export type Profile = z.infer<typeof Profile>;

/** All that is known of one workspace's profiles. */
export const WorkspaceProfiles = z.object({
  workspace: z.string(),
  /** The one that reaches prompts. */
  approved: Profile.nullable(),
  /** The one that waits for a decision. */
  proposed: Profile.nullable(),
  /** Rejected and superseded ones, the newest first. */
  earlier: z.array(Profile),
});
export type WorkspaceProfiles = z.infer<typeof WorkspaceProfiles>;
