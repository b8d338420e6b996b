import * as z from "zod";
import { DeliveryOutcome, DeliveryReport } from "../delivery.ts";
import { ArtifactRef } from "../exec.ts";
import { RECEIPT_MEDIA } from "../proof/receipt-types.ts";
import { ReplayResult } from "../proof/replay.ts";
import { REPORT_MEDIA, ReportFormat } from "../report-format.ts";
import { defineOperation } from "./operation.ts";
import { runIdParam } from "./request-fields.ts";

const RunParams = z.object({ id: runIdParam });
const tag = "runs";

/** What a run left, and what becomes of it. */
export const RUN_RESULTS = {
  replayRun: defineOperation({
    method: "post",
    path: "/runs/{id}/replay",
    tag,
    client: "runs.replay",
    summary: "Execute a run again from its record, and compare",
    description:
      "Executes a run that has ended again, in fresh sandboxes, and lists what came out differently, the cause first. No model and no person is asked, and nothing is delivered. The replay is a run itself.",
    scope: "run",
    params: RunParams,
    body: z.strictObject({
      workspace: z
        .string()
        .optional()
        .describe("A directory in the state before the run, as an absolute path. Default: the run's workspace."),
      network: z
        .boolean()
        .optional()
        .describe("True: reach the hosts that the policy of the run allowed, as far as today's does. Default: false."),
    }),
    response: ReplayResult,
  }),
  diffRun: defineOperation({
    method: "get",
    path: "/runs/{id}/diff",
    tag,
    client: "runs.diff",
    summary: "What the run changed, as a unified diff",
    description:
      "Shows the changes of a run as a unified diff that `git apply` can read. It is also available after a delivery.",
    scope: "read",
    params: RunParams,
    media: "text/x-diff; charset=utf-8",
  }),
  reportRun: defineOperation({
    method: "get",
    path: "/runs/{id}/report",
    tag,
    client: "runs.report",
    summary: "One self-contained HTML page about the run, or its checks as JUnit XML or SARIF",
    description: "Writes a report about the run: a web page for people, or the results of its checks for other tools.",
    scope: "read",
    params: RunParams,
    query: z.strictObject({
      format: ReportFormat.optional().describe("A page for people, or a file for other tools. Default: html."),
    }),
    media: REPORT_MEDIA.html,
    otherMedia: [REPORT_MEDIA.junit, REPORT_MEDIA.sarif],
  }),
  receiptRun: defineOperation({
    method: "get",
    path: "/runs/{id}/receipt",
    tag,
    client: "runs.receipt",
    summary: "What the run's checks proved, signed: in-toto statements in DSSE envelopes, one a line",
    description:
      "Writes a signed receipt of what the checks of the run proved. `drydock receipt verify` checks it without this server.",
    scope: "read",
    params: RunParams,
    media: RECEIPT_MEDIA,
  }),
  applyRun: defineOperation({
    method: "post",
    path: "/runs/{id}/apply",
    tag,
    client: "runs.apply",
    summary: "Deliver the run's changes to its workspace, all or nothing, or on a new branch",
    description:
      "Puts the changes of a run into its workspace, all or nothing, or commits them on a new branch. Changes of a goal are delivered only if its checks passed. New files that git ignores are left out unless `includeIgnored` is true.",
    scope: "run",
    params: RunParams,
    body: z.strictObject({
      branch: z.string().min(1).optional().describe("A new git branch to commit on. Default: change the files."),
      allowAutorun: z
        .boolean()
        .optional()
        .describe(
          "True: a person agreed to files that programs run by themselves (`.envrc`, CI files). Default: false.",
        ),
      allowUnproven: z
        .boolean()
        .optional()
        .describe("True: a person read the changes of an unproven run and wants them anyway. Default: false."),
      includeIgnored: z
        .boolean()
        .optional()
        .describe("True: deliver new files that git ignores, and caches of tools, too. Default: false."),
    }),
    response: DeliveryReport.extend({ outcome: DeliveryOutcome }),
    idempotent: true,
  }),
  revertRun: defineOperation({
    method: "post",
    path: "/runs/{id}/revert",
    tag,
    client: "runs.revert",
    summary: "Undo a delivery, all or nothing",
    description: "Undoes a delivery, all or nothing. The changes can be applied again afterwards.",
    scope: "run",
    params: RunParams,
    response: DeliveryReport.extend({ outcome: z.literal("reverted").describe("The changes were undone.") }),
    idempotent: true,
  }),
  discardRun: defineOperation({
    method: "post",
    path: "/runs/{id}/discard",
    tag,
    client: "runs.discard",
    summary: "Discard the run's changes",
    description:
      "Marks the changes of a run as unwanted, so that they can't be applied any more. The run stays in the ledger.",
    scope: "run",
    params: RunParams,
    response: z.object({
      runId: runIdParam,
      outcome: z
        .enum(["discarded", "already"])
        .describe("Whether the changes were discarded. `already`: they had been discarded before."),
    }),
    idempotent: true,
  }),
  listArtifacts: defineOperation({
    method: "get",
    path: "/runs/{id}/artifacts",
    tag,
    client: "runs.artifacts",
    summary: "Files that the run made",
    description: "Lists the files that a run left: files that it wrote, figures, and output that is large or binary.",
    scope: "read",
    params: RunParams,
    response: z.object({ artifacts: z.array(ArtifactRef).describe("Files that the run made.") }),
  }),
  getArtifact: defineOperation({
    method: "get",
    path: "/artifacts/{id}",
    tag,
    client: null,
    summary: "An artifact's bytes; Range asks for a part",
    description: "Downloads one artifact. A `Range` header asks for a part of it.",
    scope: "read",
    params: z.object({ id: z.string().describe("Id of the artifact, `art_…`, as results list it.") }),
    media: "application/octet-stream",
  }),
} as const;
