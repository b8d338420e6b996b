import * as z from "zod";
import { ErrorInfo } from "../errors.ts";
import { EffectivePolicy, PolicyDocument } from "../policy.ts";
import { Profile, WorkspaceProfiles } from "../profile.ts";
import { defineOperation } from "./operation.ts";

const origin = { source: z.enum(["system", "home", "workspace", "preset", "request"]), where: z.string() };
const PolicyRow = z.object({
  key: z.string(),
  value: z.unknown(),
  ceiling: z.unknown(),
  ...origin,
  /** For a list whose entries come from several sources: each with its own. */
  entries: z.array(z.object({ value: z.string(), ...origin })).optional(),
});

const Decision = z.strictObject({
  workspace: z.string(),
  by: z.string().min(1).optional(),
  reason: z.string().optional(),
  /** Which one; default: the one that waits. */
  number: z.number().int().positive().optional(),
});

export const POLICIES = {
  showPolicy: defineOperation({
    method: "get",
    path: "/policies",
    tag: "policies",
    summary: "The policy that holds for a run, each value with its ceiling and where it comes from",
    query: z.strictObject({ workspace: z.string().optional() }),
    response: z.object({ effective: EffectivePolicy, ceiling: EffectivePolicy, rows: z.array(PolicyRow) }),
  }),
  checkPolicy: defineOperation({
    method: "post",
    path: "/policies/check",
    tag: "policies",
    summary: "Whether a request may ask for this policy, and what would hold",
    body: z.strictObject({ policy: PolicyDocument, workspace: z.string().optional() }),
    response: z.object({ ok: z.boolean(), effective: EffectivePolicy.nullable(), error: ErrorInfo.nullable() }),
  }),
  getProfile: defineOperation({
    method: "get",
    path: "/api/profile",
    tag: "profile",
    summary: "What models are told about a workspace, and what waits for a decision",
    query: z.strictObject({ workspace: z.string() }),
    response: WorkspaceProfiles,
  }),
  proposeProfile: defineOperation({
    method: "post",
    path: "/api/profile/propose",
    tag: "profile",
    summary: "Propose a profile: your words, or what the workspace shows",
    body: z.strictObject({
      workspace: z.string(),
      by: z.string().min(1).optional(),
      reason: z.string().optional(),
      text: z.string().min(1).optional(),
      /** `false`: no model adds to it. */
      model: z.union([z.string().min(1), z.literal(false)]).optional(),
    }),
    response: z.object({ profile: Profile, warning: z.string().nullable() }),
    idempotent: true,
  }),
  approveProfile: defineOperation({
    method: "post",
    path: "/api/profile/approve",
    tag: "profile",
    summary: "Approve the proposal that waits",
    body: Decision,
    response: z.object({ profile: Profile }),
    idempotent: true,
  }),
  rejectProfile: defineOperation({
    method: "post",
    path: "/api/profile/reject",
    tag: "profile",
    summary: "Reject the proposal that waits or, where none does, withdraw the profile in force",
    body: Decision,
    response: z.object({ profile: Profile }),
    idempotent: true,
  }),
} as const;
