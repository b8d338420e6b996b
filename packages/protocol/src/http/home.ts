import * as z from "zod";
import { DiskUsage, DoctorReport, PruneReport, ServerStatus } from "../home/index.ts";
import { defineOperation } from "./operation.ts";

const tag = "operations";

/** How this server and its home stand, and what is kept. */
export const HOME = {
  serverStatus: defineOperation({
    method: "get",
    path: "/status",
    tag,
    client: "status",
    summary: "What this server has under way, and ready",
    description:
      "Says how this server stands at this moment: runs that execute or wait, sandboxes that are ready, sessions, memory. Other servers of the home have their own.",
    scope: "read",
    response: ServerStatus,
  }),
  examineHome: defineOperation({
    method: "post",
    path: "/doctor",
    tag,
    client: "doctor",
    summary: "Try out what this machine and this home can do",
    description:
      "Tries the sandbox, the interpreters, the ledger and the settings for real, and says what to do about what is missing. It takes some seconds; what it runs is in no record.",
    scope: "run",
    response: DoctorReport,
  }),
  diskUsage: defineOperation({
    method: "get",
    path: "/usage",
    tag,
    client: "diskUsage",
    summary: "How much space each part of the home takes",
    description: "Measures the files of the home by what they are for: ledger, artifacts, layers, caches and others.",
    scope: "read",
    response: DiskUsage,
  }),
  pruneHome: defineOperation({
    method: "post",
    path: "/prune",
    tag,
    client: "prune",
    summary: "Remove old runs and environments, or say what would be removed",
    description:
      "Removes runs that ended before a time, with their files, and environments that nothing uses. The ledger keeps a checkpoint, so that the audit still holds. With `dryRun` nothing is removed.",
    scope: "admin",
    body: z.strictObject({
      before: z.iso.datetime({ offset: true }).describe("Runs that ended before then, ISO 8601 with a time zone."),
      keepArtifacts: z.boolean().optional().describe("True: files that the removed runs made stay. Default: false."),
      dryRun: z.boolean().describe("True: only say what would be removed."),
    }),
    response: PruneReport,
  }),
} as const;
