import * as z from "zod";
import { Approval, ApprovalStatus, CapabilityOutcome } from "../extension/index.ts";
import { defineOperation } from "./operation.ts";

const ApprovalParams = z.object({ id: z.string() });
const ApprovalDecision = z.strictObject({
  by: z.string().min(1).max(128).optional(),
  reason: z.string().max(2000).optional(),
});

/** What waits for somebody's word. */
export const APPROVALS = {
  listApprovals: defineOperation({
    method: "get",
    path: "/approvals",
    tag: "approvals",
    summary: "What waits for somebody's word, and what was decided",
    query: z.strictObject({ status: ApprovalStatus.optional() }),
    response: z.object({ approvals: z.array(Approval) }),
  }),
  getApproval: defineOperation({
    method: "get",
    path: "/approvals/{id}",
    tag: "approvals",
    summary: "One approval",
    params: ApprovalParams,
    response: Approval,
  }),
  approveCapability: defineOperation({
    method: "post",
    path: "/approvals/{id}/approve",
    tag: "approvals",
    summary: "Agree, and do what was waiting",
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
    summary: "Refuse what was waiting",
    params: ApprovalParams,
    body: ApprovalDecision,
    response: Approval,
    idempotent: true,
  }),
} as const;
