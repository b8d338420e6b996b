import * as z from "zod";
import { DsseEnvelope } from "../proof/receipt.ts";
import { EventMatches } from "../run/event-search.ts";
import { EVENT_GROUP_NAMES } from "../run/event-types.ts";
import { AuditHead, AuditReport } from "../run/run.ts";
import { defineOperation } from "./operation.ts";
import { cursorField, listField, runIdParam } from "./request-fields.ts";

const RunParams = z.object({ id: runIdParam });
const pathField = z.string().describe("Path of the file in the records, such as `attempts/fix/1/verification.json`.");

/** What is kept of runs, file by file, and whether the ledger is still whole. */
export const RECORDS = {
  listRecords: defineOperation({
    method: "get",
    path: "/runs/{id}/records",
    tag: "records",
    client: "records.list",
    summary: "The readable records of a run: plan, prompts, verification, requests for rework, snapshot, events",
    description:
      "Lists the files that tell what happened in a run, made from the ledger. `GET /runs/{id}/records/file` reads one.",
    scope: "read",
    params: RunParams,
    response: z.object({
      records: z
        .array(z.object({ path: pathField, media: z.string().describe("Media type, such as `application/json`.") }))
        .describe("The files, in the order in which they came to be."),
    }),
  }),
  getRecord: defineOperation({
    method: "get",
    path: "/runs/{id}/records/file",
    tag: "records",
    client: "records.get",
    clientArguments: ["path"],
    summary: "One file of the records of a run",
    description: "Reads one file of the records of a run. Secrets that Drydock knows are taken out.",
    scope: "read",
    params: RunParams,
    query: z.strictObject({ path: pathField }),
    media: "application/json",
    otherMedia: ["application/x-ndjson", "text/markdown; charset=utf-8", "text/x-diff; charset=utf-8"],
  }),
  verifyAudit: defineOperation({
    method: "get",
    path: "/audit/verify",
    tag: "audit",
    client: "audit.verify",
    summary: "Check that nothing in the ledger was changed, removed or inserted",
    description:
      "Checks the whole hash chain of the ledger and names the first problem. What is broken is an answer with `ok: false`, not an error.",
    scope: "read",
    query: z.strictObject({
      expect: z
        .string()
        .min(1)
        .optional()
        .describe("A hash or an anchor that was kept elsewhere, or several, one a line: the chain must have each."),
    }),
    response: AuditReport,
  }),
  anchorAudit: defineOperation({
    method: "get",
    path: "/audit/anchor",
    tag: "audit",
    client: "audit.anchor",
    summary: "The newest hash of the ledger, signed, to be kept elsewhere",
    description:
      "Signs the newest hash of the ledger with the key of this home. Kept where nobody can change it together with the ledger, it exposes a later rewrite.",
    scope: "read",
    response: z.object({
      ...AuditHead.shape,
      at: z.string().describe("When it was signed, ISO 8601 in UTC."),
      keyId: z.string().describe("Id of the key that signed it."),
      anchor: DsseEnvelope.describe("The signed hash as a DSSE envelope: what to keep, and to give to `verify`."),
    }),
  }),
  searchAudit: defineOperation({
    method: "get",
    path: "/audit/events",
    tag: "audit",
    client: "audit.search",
    summary: "Search the events of all runs",
    description:
      "Finds events of the whole ledger by words, group and time, those of the newest runs first. One request looks through 20,000 events; `cursor` goes on from there.",
    scope: "read",
    query: z.strictObject({
      text: z
        .string()
        .max(200)
        .optional()
        .describe("Only events in whose details, type or run id all of these words occur, 8 at most, in any case."),
      groups: listField(EVENT_GROUP_NAMES).optional().describe("Only events of these groups, with commas."),
      since: z.string().max(40).optional().describe("Only events that were recorded then or later, ISO 8601."),
      until: z.string().max(40).optional().describe("Only events that were recorded before that, ISO 8601."),
      limit: z.coerce.number().int().min(1).max(200).optional().describe("Events on one page. Default: 50."),
      cursor: cursorField,
    }),
    response: EventMatches,
  }),
  exportAudit: defineOperation({
    method: "get",
    path: "/audit/export",
    tag: "audit",
    client: "audit.export",
    summary: "The whole ledger as JSON lines",
    description: "Writes every run and every event of the ledger, one JSON value a line, in the order of the chain.",
    scope: "read",
    media: "application/x-ndjson",
  }),
} as const;
