import * as z from "zod";

export const ProfileStatus = z
  .enum(["proposed", "approved", "rejected", "superseded"])
  .describe("Where the profile stands. `superseded`: a newer proposal or approval replaced it.");
export type ProfileStatus = z.infer<typeof ProfileStatus>;

/** One step in a profile's life: who took it, when and why. */
export const ProfileStep = z.object({
  status: ProfileStatus,
  by: z.string().describe("Who decided, as they named themselves."),
  at: z.string().describe("When it was decided, ISO 8601 in UTC."),
  reason: z.string().describe("The reason of the decision; empty if there is none."),
});
export type ProfileStep = z.infer<typeof ProfileStep>;

/**
 * Text about a workspace for prompts, approved by a person. It is text and nothing else: no part of it is read as
 * policy, as a template or as a command.
 */
export const Profile = z.object({
  workspace: z.string().describe("Absolute path of the directory that it describes."),
  number: z.number().int().describe("Number of the profile in its workspace, counted from 1."),
  status: ProfileStatus,
  text: z.string().describe("Text about the workspace for prompts, used once it is approved, as Markdown."),
  sources: z.array(z.string()).describe("What it was made from: `rules`, `model NAME`, `person`."),
  history: z.array(ProfileStep).describe("Every decision about it, the oldest first."),
});
export type Profile = z.infer<typeof Profile>;

/** All that is known of one workspace's profiles. */
export const WorkspaceProfiles = z.object({
  workspace: z.string().describe("Absolute path of the directory that the profiles describe."),
  approved: Profile.nullable().describe("The profile in force, which is part of prompts; null without one."),
  proposed: Profile.nullable().describe("The proposal that waits for a decision; null without one."),
  earlier: z.array(Profile).describe("Rejected and superseded profiles, the newest first."),
});
export type WorkspaceProfiles = z.infer<typeof WorkspaceProfiles>;
