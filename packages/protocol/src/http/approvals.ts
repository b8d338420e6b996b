import * as z from "zod";
import { Approval, ApprovalStatus, CapabilityOutcome } from "../extension/index.ts";
import { defineOperation } from "./operation.ts";
import { byField } from "./request-fields.ts";

const ApprovalParams = z.object({
  id: z.string().describe("Id of the approval, `apr_…`, as `GET /approvals` lists it."),
});
const ApprovalDecision = z.strictObject({
  by: byField,
  reason: z.string().max(2000).optional().describe("Why it is decided so, for the record. At most 2000 characters."),
});

/** What waits for somebody's word. */
export const APPROVALS = {
  listApprovals: defineOperation({
    method: "get",
    path: "/approvals",
    tag: "approvals",
    client: "approvals.list",
    summary: "Approvals that wait for a person, and those that were decided",
    description: "Lists the calls of extensions that wait for a person's decision, and earlier decisions.",
    scope: "read",
    query: z.strictObject({ status: ApprovalStatus.optional().describe("Only approvals with this status.") }),
    response: z.object({ approvals: z.array(Approval).describe("Approvals, the newest first, at most 1000.") }),
  }),
  getApproval: defineOperation({
    method: "get",
    path: "/approvals/{id}",
    tag: "approvals",
    client: "approvals.get",
    summary: "One approval",
    description: "Shows one approval: the call, its risk, and how it was decided.",
    scope: "read",
    params: ApprovalParams,
    response: Approval,
  }),
  approveCapability: defineOperation({
    method: "post",
    path: "/approvals/{id}/approve",
    tag: "approvals",
    client: "approvals.approve",
    summary: "Approve a call, and execute it",
    description: "Approves a call that waits, executes it, and answers with its outcome.",
    scope: "admin",
    params: ApprovalParams,
    body: ApprovalDecision,
    response: CapabilityOutcome,
    answersErrors: true,
    streams: "calls",
    idempotent: true,
  }),
  denyCapability: defineOperation({
    method: "post",
    path: "/approvals/{id}/deny",
    tag: "approvals",
    client: "approvals.deny",
    summary: "Deny a call that waits",
    description: "Denies a call that waits. It is not executed.",
    scope: "admin",
    params: ApprovalParams,
    body: ApprovalDecision,
    response: Approval,
    idempotent: true,
  }),
} as const;
