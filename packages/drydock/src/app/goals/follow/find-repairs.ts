import { PlanAccepted, RepairFinished, type RunEvent } from "@drydock/protocol";
import type { FollowedWork } from "../../../engine/index.ts";
import { openDocuments } from "../../runs/open-journal.ts";
import type { GoalPorts } from "../goal-ports.ts";

type Repair = FollowedWork["repairs"][number];
interface Outcome {
  found: Repair[];
  open?: Repair[];
  bestPartial: Repair | null;
}

/**
 * Changes that the search of a run has on record and that no verifier has refused, the best first. Of a run with several
 * tasks there are none: what the others left would be lost.
 */
export async function findRepairs({ ledger, readEvents }: GoalPorts, runId: string): Promise<Repair[]> {
  const events = await readEvents(runId);
  const accepted = PlanAccepted.safeParse(events.find(({ type }) => type === "plan.accepted")?.data).data;
  const last = events.findLast(({ type }) => type === "repair.finished");
  const finished = last && RepairFinished.safeParse(last.data).data;
  if (accepted?.plan.tasks.length !== 1 || !finished) return [];
  const outcome = JSON.parse(await openDocuments(ledger, runId).read(finished.outcome)) as Outcome;
  const refused = listRefused(events, finished.key.replace(/\/repair$/, ""));
  const keyOf = ({ writes }: Repair) => JSON.stringify(writes);
  const hopeless = new Set(outcome.found.filter((_, index) => refused.has(index + 1)).map(keyOf));
  const all = [...outcome.found, ...(outcome.open ?? []), ...(outcome.bestPartial ? [outcome.bestPartial] : [])];
  const known = new Map(all.map((repair) => [keyOf(repair), repair]));
  return [...known].flatMap(([key, repair]) => (hopeless.has(key) ? [] : [repair]));
}

/** The places of changes in the ranking that were judged, and did not pass. */
function listRefused(events: readonly RunEvent[], taskKey: string): Set<number> {
  const judged = events.filter(({ type, data }) => type === "task.verified" && data.verdict !== "passed");
  const keys = new Set(judged.map(({ data }) => String(data.key)));
  const attempts = events.filter(
    ({ type, data }) =>
      type === "attempt.finished" && keys.has(String(data.key)) && String(data.key).replace(/\/a\d+$/, "") === taskKey,
  );
  return new Set(attempts.flatMap(({ data }) => (typeof data.candidate === "number" ? [data.candidate] : [])));
}
