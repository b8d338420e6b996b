import { type CheckResult, type Divergence, EffectivePolicy, RequiredCheck } from "@drydock/protocol";
import * as z from "zod";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { verify } from "../verify/index.ts";
import { notReplayable } from "./read-recorded.ts";
import { readRequest } from "./read-request.ts";
import type { Replayed, ReplayPorts } from "./replayer.ts";

const RecordedChecks = z.object({ checks: z.array(RequiredCheck).min(1) });

/** A directory that was judged as it stands is judged again, by the same checks. */
export async function replayVerification(
  ports: Pick<ReplayPorts, "searchPath"> & Parameters<typeof verify>[0],
  recorded: RecordedRun,
  { workspace = recorded.run.workspace ?? "", signal }: { workspace?: string; signal?: AbortSignal },
): Promise<Replayed> {
  const { run, events } = recorded;
  const frozen = EffectivePolicy.safeParse(events[0]?.data.policy);
  const { checks } = readRequest(recorded, RecordedChecks);
  if (!frozen.success) throw notReplayable(run.id, "its policy can't be read");
  const wanted = { checks: checks.map(({ check }) => check), workspace, policy: frozen.data, signal };
  const again = await verify(ports, wanted, { replayOf: run.id });
  const finished = events.filter(({ type }) => type === "check.finished").map(({ data }) => data);
  const round = finished.at(-1)?.round;
  const results = finished.filter((data) => data.round === round) as unknown as CheckResult[];
  const divergences: Divergence[] = results.flatMap((check, index) => {
    const replayed = again.checks[index]?.verdict ?? null;
    const what = `verdict of ${check.type}`;
    return check.verdict === replayed ? [] : [{ step: `check ${index + 1}`, what, recorded: check.verdict, replayed }];
  });
  if (again.treeHash !== run.treeHash) {
    const other = { step: "workspace", what: "the tree", recorded: run.treeHash, replayed: again.treeHash };
    divergences.unshift({ ...other, cause: "workspace" });
  }
  const { strength } = events.at(-1)?.data ?? {};
  const notes = strength === undefined ? [] : ["the strength of the checks was not measured again"];
  const { runId, verdict, treeHash } = again;
  return { runId, verdict, treeHash, steps: results.length, divergences, notes };
}
