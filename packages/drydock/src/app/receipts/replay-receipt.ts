import { DrydockError, Plan, type ReplayResult, RequiredCheck, type RunRecord } from "@drydock/protocol";
import * as z from "zod";
import type { GoalPorts, GoalRequest } from "../goals/index.ts";
import { REPAIR_DEFAULTS, replayGoal } from "../goals/index.ts";
import { concludeReplay, findAlteredEvents, replayVerification } from "../replays/index.ts";
import type { ReplayReceiptOptions } from "./api.ts";
import { restoreBase } from "./restore-base.ts";
import { verifyReceiptBytes } from "./verify-receipt-bytes.ts";

/** What a goal's request must look like before anything of it is executed: a record comes from elsewhere. */
const RecordedRequest = z.object({
  goal: z.string(),
  plan: Plan.nullable(),
  planSource: z.string().nullable(),
  way: z.enum(["tools", "writes"]),
  checks: z.array(RequiredCheck).default([]),
  mayChange: z.array(z.string()).default([]),
  minStrength: z.number().nullable().default(null),
  byModel: z.boolean().default(false),
  worker: z.enum(["model", "repair"]).default("model"),
  thenRepair: z.boolean().default(false),
  bestOf: z.number().int().min(1).max(16).default(1),
  repair: z.object({ seconds: z.number(), candidates: z.number(), seed: z.number() }).default(REPAIR_DEFAULTS),
});

type ReplayPorts = GoalPorts & { searchPath: string };

/** Executes what a receipt records, under this home's own policy, in a directory made for it. */
export async function replayReceipt(
  ports: ReplayPorts & { temporary: string },
  bytes: Uint8Array,
  { key, ...options }: ReplayReceiptOptions,
): Promise<ReplayResult> {
  const record = await requireRecord(bytes, key);
  if (options.workspace !== undefined) return replayRecord(ports, record, { ...options, workspace: options.workspace });
  if (!record.base) {
    throw refusal(
      `it is without the directory that the run began with: ${record.baseMissing ?? "it was left out"}`,
      "Give a copy of that directory: --workspace DIR.",
    );
  }
  const restored = await restoreBase(record.base, record.contents, ports.temporary);
  try {
    return await replayRecord(ports, record, { ...options, workspace: restored.workspace });
  } finally {
    await restored.remove();
  }
}

type Options = Omit<ReplayReceiptOptions, "key"> & { workspace: string };

async function replayRecord(ports: ReplayPorts, record: RunRecord, options: Options): Promise<ReplayResult> {
  const { run, events } = record;
  const altered = findAlteredEvents(events);
  if (run.kind === "verify") return concludeReplay(run.id, altered, await replayVerification(ports, record, options));
  const recordedRequest = RecordedRequest.safeParse(events[0]?.data.request);
  if (run.kind !== "goal" || !recordedRequest.success) {
    throw refusal(`it is of a run of the kind ${run.kind}`, "Only goals and verifications can be executed again.");
  }
  const request: GoalRequest = {
    ...recordedRequest.data,
    model: null,
    apply: "never",
    branch: null,
    budget: {},
    staleSeconds: 0,
    staleAutoReset: false,
  };
  const replayed = await replayGoal(ports, { run, events, contents: readFrom(record), request }, options);
  return concludeReplay(run.id, altered, replayed);
}

function readFrom({ contents }: RunRecord) {
  return {
    async readWhole(sha256: string) {
      const content = contents[sha256];
      if (content !== undefined) return Buffer.from(content, "base64");
      throw refusal(`the content ${sha256} is not in it`, "Ask for a complete one.");
    },
  };
}

async function requireRecord(bytes: Uint8Array, key: string | undefined): Promise<RunRecord> {
  const { report, record } = await verifyReceiptBytes(bytes, { key });
  if (report.problem) throw refusal(report.problem.message.replace(/\.$/, ""), "Ask for the receipt again.");
  if (record) return record;
  throw refusal("it has no record", "Ask for one that was made by `drydock runs receipt ID --with-record`.");
}

function refusal(reason: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", `The receipt can't be executed again: ${reason}.`, hint);
}
