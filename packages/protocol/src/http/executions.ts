import * as z from "zod";
import { Verification } from "../check.ts";
import { CheckEntry } from "../check-entry.ts";
import { ExecRequest, ExecResult } from "../exec.ts";
import { PolicyDocument } from "../policy.ts";
import { SessionInfo } from "../session.ts";
import { defineOperation } from "./operation.ts";

/** A request to run something, with what can be sent as data. */
export const ExecBody = ExecRequest.extend({
  stdin: z.string().optional(),
  /** Lifts the Python guard to `off`; the sandbox stays as it is. */
  unsafe: z.boolean().optional(),
});

const SessionParams = z.object({ id: z.string() });

export const SessionBody = z.strictObject({
  language: z.enum(["python", "node"]).optional(),
  workspace: z.string().optional(),
  policy: PolicyDocument.optional(),
});

export const StepBody = z.strictObject({
  code: z.string(),
  policy: PolicyDocument.optional(),
  unsafe: z.boolean().optional(),
});

export const StepResult = ExecResult.extend({
  sessionId: z.string(),
  step: z.number().int(),
  kept: z.array(z.number().int()),
  /** Names and types of the variables after the step (Python). */
  variables: z.record(z.string(), z.string()),
});

export const VerifyBody = z.strictObject({
  /** Default: those of the workspace's `.drydock/checks.yaml`. */
  checks: z.array(CheckEntry).min(1).optional(),
  workspace: z.string(),
  policy: PolicyDocument.optional(),
});

export const EXECUTIONS = {
  execute: defineOperation({
    method: "post",
    path: "/execute",
    tag: "execution",
    summary: "Run code or a command in the sandbox, and wait for its result",
    body: ExecBody,
    response: ExecResult,
    streams: "calls",
    idempotent: true,
  }),
  verify: defineOperation({
    method: "post",
    path: "/verify",
    tag: "execution",
    summary: "Judge a directory by checks, each in a fresh sandbox",
    body: VerifyBody,
    response: Verification.extend({ runId: z.string() }),
    streams: "calls",
    idempotent: true,
  }),
  openSession: defineOperation({
    method: "post",
    path: "/sessions",
    tag: "sessions",
    summary: "Open an interpreter that remembers",
    body: SessionBody,
    status: 201,
    response: SessionInfo,
    idempotent: true,
  }),
  listSessions: defineOperation({
    method: "get",
    path: "/sessions",
    tag: "sessions",
    summary: "The sessions that are live in this server",
    response: z.object({ sessions: z.array(SessionInfo) }),
  }),
  getSession: defineOperation({
    method: "get",
    path: "/sessions/{id}",
    tag: "sessions",
    summary: "One live session",
    params: SessionParams,
    response: SessionInfo,
  }),
  execInSession: defineOperation({
    method: "post",
    path: "/sessions/{id}/exec",
    tag: "sessions",
    summary: "Run a step; one that fails leaves variables and files as they were",
    params: SessionParams,
    body: StepBody,
    response: StepResult,
    streams: "calls",
    idempotent: true,
  }),
  rollbackSession: defineOperation({
    method: "post",
    path: "/sessions/{id}/rollback",
    tag: "sessions",
    summary: "Return to the state after an earlier step",
    params: SessionParams,
    body: z.strictObject({ to: z.number().int().nonnegative().optional() }),
    response: z.object({ step: z.number().int(), kept: z.array(z.number().int()), notes: z.array(z.string()) }),
    idempotent: true,
  }),
  closeSession: defineOperation({
    method: "delete",
    path: "/sessions/{id}",
    tag: "sessions",
    summary: "Close a session",
    params: SessionParams,
    response: z.object({ sessionId: z.string(), closed: z.literal(true) }),
  }),
} as const;
