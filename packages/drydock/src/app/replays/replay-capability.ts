import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import type { Divergence, EffectivePolicy } from "@drydock/protocol";
import * as z from "zod";
import { readLayer } from "../runs/read-layer.ts";
import { openAskedModel } from "../runs/recorded/recorded-answers.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { compareExecutions } from "./compare-executions.ts";
import { copyDirectory } from "./copy-directory.ts";
import { readFrozenPolicy, refuseNetwork } from "./frozen-policy.ts";
import { openReplayWorkspace, type ReplayWorkspace, readStartTree } from "./open-workspace.ts";
import { notReplayable } from "./read-recorded.ts";
import { readRequest } from "./read-request.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";

/** Errors with which a call ends that was never begun. */
const NEVER_BEGUN = new Set(["limit.quota", "policy.approval_denied", "extension.disabled", "extension.quarantined"]);

/** A slash command: the same action with the same values and input, by the same version of its extension. */
export async function replayCapability(
  ports: ReplayPorts,
  recorded: RecordedRun,
  request: ReplayRequest,
): Promise<Replayed> {
  const { run, events } = recorded;
  const policy = readFrozenPolicy(recorded);
  if (NEVER_BEGUN.has(run.errorCode ?? "")) {
    throw notReplayable(run.id, `it was refused before it started (${run.errorCode})`, "There is nothing to execute.");
  }
  if (recorded.events[0]?.data.hostAction !== undefined)
    throw notReplayable(recorded.run.id, "it is an action that an executor of a program did", "Ask for it again.");
  const { extension } = readRequest(recorded, z.object({ extension: z.string() }), "capability");
  refuseNetwork([recorded], request);
  const kind = isWorkDirectory(ports, recorded) ? "work" : "workspace";
  const directory =
    kind === "work"
      ? await openWorkDirectory(ports, recorded, request, policy)
      : await openReplayWorkspace(ports, recorded, request, { policy, delivered: [recorded] });
  const altered: Divergence[] = [];
  try {
    const replayed = await ports.extensions.replayCall({
      ...{ run, events, policy, directory: { kind, path: directory.path } },
      model: openAskedModel(ports.ledger.blobs, events, altered),
      ...{ network: request.network === true, signal: request.signal, parentRunId: request.parentRunId },
    });
    const nothing = { verdict: "unverified", treeHash: null, steps: 1, notes: [] } as const;
    if (replayed.kind === "changed") {
      const other = { recorded: replayed.recorded, replayed: replayed.installed };
      const changed = { step: "extension", what: `the files of ${extension}`, cause: "extension", ...other } as const;
      return { runId: null, ...nothing, notes: [], divergences: [changed] };
    }
    const divergences = compareExecutions("call", events, await ports.readEvents(replayed.runId));
    const all = [...altered, ...directory.divergences, ...divergences];
    return { runId: replayed.runId, ...nothing, notes: [], divergences: all };
  } finally {
    await directory.close();
  }
}

/** Whether it worked in the extension's own directory, and not in one of the user's. */
function isWorkDirectory({ home }: ReplayPorts, { run }: RecordedRun): boolean {
  return run.workspace === null || run.workspace.startsWith(join(home, "extensions", "work") + sep);
}

/** A copy of the extension's work directory, as the call found it. */
async function openWorkDirectory(
  ports: ReplayPorts,
  recorded: RecordedRun,
  request: ReplayRequest,
  policy: EffectivePolicy,
): Promise<ReplayWorkspace> {
  const { run, events } = recorded;
  const nothing = { path: null, divergences: [], close: async () => {} };
  const captured = events.findLast(({ type }) => type === "layer.captured");
  if (captured && (await readLayer(ports.ledger, captured)).workspace === null) return nothing;
  if (run.workspace === null || !existsSync(run.workspace)) {
    const wanted = readStartTree(events);
    const other = { step: "workspace", what: "the tree", recorded: wanted, replayed: null };
    return wanted === null ? nothing : { ...nothing, divergences: [{ ...other, cause: "workspace" }] };
  }
  const copy = await copyDirectory(run.workspace, ports.temporary);
  try {
    const { signal } = request;
    const place = { policy, delivered: [recorded] };
    const opened = await openReplayWorkspace(ports, recorded, { workspace: copy.path, signal }, place);
    const close = async () => {
      await opened.close();
      await copy.remove();
    };
    return { ...opened, close };
  } catch (error) {
    await copy.remove();
    throw error;
  }
}
