import * as z from "zod";
import { ErrorInfo } from "../errors/errors.ts";
import { EffectivePolicy, PolicyDocument } from "../policy.ts";
import { HomePolicyCheck, HomePolicyText, PolicyAnswer, PolicyQuestion, PolicyRow } from "../policy-questions.ts";
import { Profile, WorkspaceProfiles } from "../profile.ts";
import { defineOperation } from "./operation.ts";
import { reasonField, workspaceField } from "./request-fields.ts";

const homeText = z
  .string()
  .max(256 * 1024)
  .describe("The whole text, as YAML.");

const decidedBy = z.string().min(1).optional().describe("Who decides, for the record. Default: `http`.");

const Decision = z.strictObject({
  workspace: workspaceField,
  by: decidedBy,
  reason: reasonField,
  number: z.number().int().positive().optional().describe("Number of the profile. Default: the proposal that waits."),
});

export const POLICIES = {
  showPolicy: defineOperation({
    method: "get",
    path: "/policies",
    tag: "policies",
    client: "policies.show",
    summary: "The policy that holds for a run, each value with its ceiling and where it comes from",
    description:
      "Shows the policy that applies to a run: each value, its ceiling, and the file and line it comes from.",
    scope: "read",
    query: z.strictObject({
      workspace: workspaceField.optional().describe("A directory whose `.drydock/policy.yaml` counts. Default: none."),
    }),
    response: z.object({
      effective: EffectivePolicy.describe("What holds when a request asks for nothing else."),
      ceiling: EffectivePolicy.describe("The most that a request may ask for."),
      rows: z.array(PolicyRow).describe("Each key with its value, its ceiling and where it comes from."),
    }),
  }),
  checkPolicy: defineOperation({
    method: "post",
    path: "/policies/check",
    tag: "policies",
    client: "policies.check",
    summary: "Check whether a request may ask for this policy, and show the result",
    description:
      "Checks a policy as a request would ask for it: whether it is valid, whether the ceilings allow it, and what would apply. Nothing is stored.",
    scope: "run",
    body: z.strictObject({
      policy: PolicyDocument.describe("The policy that a request would send."),
      workspace: workspaceField.optional().describe("A directory whose `.drydock/policy.yaml` counts. Default: none."),
    }),
    response: z.object({
      ok: z.boolean().describe("True if a request may ask for this."),
      effective: EffectivePolicy.nullable().describe("The policy that would hold; null if it is refused."),
      error: ErrorInfo.nullable().describe("Why it is refused; null if it is not."),
    }),
  }),
  askPolicy: defineOperation({
    method: "post",
    path: "/policies/ask",
    tag: "policies",
    client: "policies.ask",
    summary: "Whether a run may read, write, start, reach or import something, by which rule",
    description:
      "Answers whether the policy allows one thing, with the key, the entry, and the file and line that decide. Nothing is tried.",
    scope: "run",
    body: PolicyQuestion.extend({
      workspace: workspaceField.optional().describe("A directory whose `.drydock/policy.yaml` counts. Default: none."),
      text: homeText.optional().describe("A home policy that is not saved yet. Default: the one that holds."),
    }),
    response: PolicyAnswer,
  }),
  getHomePolicy: defineOperation({
    method: "get",
    path: "/policies/home",
    tag: "policies",
    client: "policies.home",
    summary: "The owner's policy as it is written",
    description: "Returns the text of `policy.yaml` in the home, with its hash.",
    scope: "admin",
    response: HomePolicyText,
  }),
  checkHomePolicy: defineOperation({
    method: "post",
    path: "/policies/home/check",
    tag: "policies",
    client: "policies.checkHome",
    clientArguments: ["text"],
    summary: "Whether a text would be a valid home policy, and what would hold",
    description: "Checks a text as `policy.yaml` of the home is checked, and shows what would hold. Nothing is stored.",
    scope: "admin",
    body: z.strictObject({ text: homeText }),
    response: HomePolicyCheck,
  }),
  saveHomePolicy: defineOperation({
    method: "post",
    path: "/policies/home",
    tag: "policies",
    client: "policies.saveHome",
    summary: "Put a text in the place of the owner's policy",
    description:
      "Checks a text and puts it in the place of `policy.yaml` of the home as a whole. Refused where the file is another one than was read. It holds for runs that begin afterwards.",
    scope: "admin",
    body: z.strictObject({
      text: homeText,
      replaces: z.string().nullable().describe("The `sha256` of what was read; null if there was no file."),
    }),
    response: HomePolicyText,
  }),
  getProfile: defineOperation({
    method: "get",
    path: "/api/profile",
    tag: "profile",
    client: "profile.get",
    clientArguments: ["workspace"],
    summary: "The profile of a workspace, and a proposal that waits for a decision",
    description:
      "Shows the approved description of a workspace that models get, and a proposal that waits for a decision.",
    scope: "read",
    query: z.strictObject({ workspace: workspaceField }),
    response: WorkspaceProfiles,
  }),
  pendingProfiles: defineOperation({
    method: "get",
    path: "/api/profiles",
    tag: "profile",
    client: "profile.pending",
    summary: "Proposals of profiles that wait for a decision",
    description: "Lists the proposed profiles of all workspaces that nobody has decided about yet, at most 1,000.",
    scope: "read",
    response: z.object({ profiles: z.array(Profile).describe("The proposals, by workspace.") }),
  }),
  proposeProfile: defineOperation({
    method: "post",
    path: "/api/profile/propose",
    tag: "profile",
    client: "profile.propose",
    summary: "Propose a profile: your words, or what the workspace shows",
    description:
      "Proposes a description of a workspace, from your own words or from what its files show. It takes effect once it is approved.",
    scope: "run",
    body: z.strictObject({
      workspace: workspaceField,
      by: decidedBy,
      reason: reasonField,
      text: z.string().min(1).optional().describe("The profile in your own words. Default: made from the workspace."),
      model: z
        .union([z.string().min(1), z.literal(false)])
        .optional()
        .describe("A model that adds notes, as `provider/name`; false: none. Default: the configured one."),
    }),
    response: z.object({
      profile: Profile.describe("The proposal, which waits for a decision."),
      warning: z.string().nullable().describe("Why no model added to it, where one should have; else null."),
    }),
    idempotent: true,
  }),
  approveProfile: defineOperation({
    method: "post",
    path: "/api/profile/approve",
    tag: "profile",
    client: "profile.approve",
    summary: "Approve the pending proposal",
    description: "Approves the proposed description. Models get it from then on.",
    scope: "admin",
    body: Decision,
    response: z.object({ profile: Profile.describe("The profile after the decision.") }),
    idempotent: true,
  }),
  rejectProfile: defineOperation({
    method: "post",
    path: "/api/profile/reject",
    tag: "profile",
    client: "profile.reject",
    summary: "Reject the pending proposal; without one, withdraw the approved profile",
    description: "Rejects the proposed description. Without a proposal, it withdraws the approved one.",
    scope: "admin",
    body: Decision,
    response: z.object({ profile: Profile.describe("The profile after the decision.") }),
    idempotent: true,
  }),
} as const;
