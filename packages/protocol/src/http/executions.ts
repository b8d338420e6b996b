import * as z from "zod";
import { Verification } from "../check.ts";
import { CheckEntry } from "../check-entry.ts";
import { ExecRequest, ExecResult } from "../exec.ts";
import { SessionInfo, SessionLanguage, SessionTotals } from "../session.ts";
import { Rollback, StepResult } from "../step-result.ts";
import { defineOperation } from "./operation.ts";
import { acceptedField, InputBody, policyField, sessionFields, unsafeField, workspaceField } from "./request-fields.ts";

const stdinField = z.string().optional().describe("What the program reads from standard input. Default: nothing.");
const interactiveField = z.boolean().optional();

/** A request to run something, with what can be sent as data. */
export const ExecBody = ExecRequest.extend({
  ...sessionFields,
  stdin: stdinField,
  interactive: interactiveField.describe(
    "True: Python code may wait for input, which `POST /runs/{id}/input` sends. Default: false: its input is empty.",
  ),
  unsafe: unsafeField,
});

const { sessionId, step } = StepResult.shape;
const SessionParams = z.object({ id: sessionId });

export const SessionBody = z.strictObject({
  language: SessionLanguage.optional().describe("The interpreter's language. Default: python."),
  workspace: workspaceField
    .optional()
    .describe("A directory that the session works in; it is never changed. Default: an empty directory."),
  policy: policyField,
});

export const StepBody = z.strictObject({
  code: z.string().describe("The step's code, in the session's language."),
  stdin: stdinField,
  interactive: interactiveField.describe(
    "True: Python code may wait for input, which `POST /sessions/{id}/input` sends. Default: false: its input is empty.",
  ),
  policy: policyField,
  unsafe: unsafeField,
});

export const VerifyBody = z.strictObject({
  checks: z
    .array(CheckEntry)
    .min(1)
    .optional()
    .describe("Command lines or checks. Default: those of the workspace's `.drydock/checks.yaml`."),
  workspace: workspaceField.describe("The directory to judge, as an absolute path. It is never changed."),
  policy: policyField,
});

export const EXECUTIONS = {
  execute: defineOperation({
    method: "post",
    path: "/execute",
    tag: "execution",
    client: "execute",
    summary: "Run code or a command in the sandbox, and wait for its result",
    description:
      "Runs code (Python, Node.js or Bash) or a command in a fresh sandbox, and answers when it has ended. The workspace is not changed: changes stay in a layer, which `POST /runs/{id}/apply` delivers.",
    scope: "run",
    body: ExecBody,
    response: ExecResult,
    streams: "calls",
    idempotent: true,
  }),
  verify: defineOperation({
    method: "post",
    path: "/verify",
    tag: "execution",
    client: "verify",
    summary: "Judge a directory by checks, each in a fresh sandbox",
    description:
      "Runs each check in a fresh sandbox on a copy of the directory, and answers with a verdict and the result of every check. The directory is not changed.",
    scope: "run",
    body: VerifyBody,
    response: Verification.extend({
      runId: z.string().describe("Id of the verification's run in the ledger, `run_…`."),
    }),
    streams: "calls",
    idempotent: true,
  }),
  openSession: defineOperation({
    method: "post",
    path: "/sessions",
    tag: "sessions",
    client: "sessions.open",
    summary: "Open an interpreter that keeps variables and files from step to step",
    description:
      "Starts an interpreter in a sandbox. Variables and files last from step to step, until the session is closed or has been idle for too long.",
    scope: "run",
    body: SessionBody,
    status: 201,
    response: SessionInfo,
    idempotent: true,
  }),
  listSessions: defineOperation({
    method: "get",
    path: "/sessions",
    tag: "sessions",
    client: "sessions.list",
    summary: "The sessions that are live in this server",
    description:
      "Lists the open sessions of this server. Sessions that the command line opened belong to another process, and are not listed.",
    scope: "read",
    response: z.object({ sessions: z.array(SessionInfo).describe("The open sessions.") }),
  }),
  getSessionTotals: defineOperation({
    method: "get",
    path: "/sessions/totals",
    tag: "sessions",
    client: "sessions.totals",
    summary: "Totals of all sessions of this home",
    description:
      "Counts the sessions and steps of this home from the ledger: those of other processes, and of processes that have ended, are included.",
    scope: "read",
    response: SessionTotals,
  }),
  getSession: defineOperation({
    method: "get",
    path: "/sessions/{id}",
    tag: "sessions",
    client: "sessions.get",
    summary: "One live session",
    description: "Shows the figures of one open session: steps, memory, CPU time, and how long it has been idle.",
    scope: "read",
    params: SessionParams,
    response: SessionInfo,
  }),
  execInSession: defineOperation({
    method: "post",
    path: "/sessions/{id}/exec",
    tag: "sessions",
    client: "sessions.exec",
    summary: "Run a step; one that fails leaves variables and files as they were",
    description:
      "Runs code as the next step of a session. A step that fails leaves variables and files as they were before it.",
    scope: "run",
    params: SessionParams,
    body: StepBody,
    response: StepResult,
    streams: "calls",
    idempotent: true,
  }),
  giveSessionInput: defineOperation({
    method: "post",
    path: "/sessions/{id}/input",
    tag: "sessions",
    client: "sessions.input",
    summary: "Send a line to the step that runs",
    description:
      "Sends input to the current step of a session, which was started with `interactive: true`. A line that comes before the code asks for it waits.",
    scope: "run",
    params: SessionParams,
    body: InputBody,
    status: 202,
    response: z.object({ sessionId, accepted: acceptedField }),
  }),
  rollbackSession: defineOperation({
    method: "post",
    path: "/sessions/{id}/rollback",
    tag: "sessions",
    client: "sessions.rollback",
    summary: "Return to the state after an earlier step",
    description:
      "Returns variables and files to what they were after any earlier step. A state that is not kept any more is made again by running the recorded steps in a new interpreter; until that has succeeded, the session stays as it is.",
    scope: "run",
    params: SessionParams,
    body: z.strictObject({
      to: step
        .nonnegative()
        .optional()
        .describe("The step to return to; 0 is before the first. Default: undo the last."),
    }),
    response: Rollback,
    idempotent: true,
  }),
  forkSession: defineOperation({
    method: "post",
    path: "/sessions/{id}/fork",
    tag: "sessions",
    client: "sessions.fork",
    summary: "Copy a session, each copy in a sandbox of its own",
    description:
      "Copies a Python session as it is now, with its variables and files. Each copy is a session of its own, in a sandbox that reaches neither the session nor another copy. Either all copies are made, or none.",
    scope: "run",
    params: SessionParams,
    body: z.strictObject({
      count: z.number().int().positive().optional().describe("How many copies to make. Default: 1."),
    }),
    status: 201,
    response: z.object({ sessions: z.array(SessionInfo).describe("The copies, as sessions.") }),
    idempotent: true,
  }),
  closeSession: defineOperation({
    method: "delete",
    path: "/sessions/{id}",
    tag: "sessions",
    client: "sessions.close",
    summary: "Close a session",
    description: "Ends a session and discards its variables and files. Its steps stay in the ledger.",
    scope: "run",
    params: SessionParams,
    response: z.object({
      sessionId,
      closed: z.literal(true).describe("True once the session is closed."),
    }),
  }),
} as const;
