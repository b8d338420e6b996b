import { RepairFinished, type RepairReport, type RunEvent } from "@drydock/protocol";

/** What repair did in a run, task by task. */
export function reportRepairs(events: readonly RunEvent[]): RepairReport[] {
  return events.flatMap((event) => {
    const finished = event.type === "repair.finished" ? RepairFinished.safeParse(event.data).data : undefined;
    if (!finished) return [];
    const { key, outcome, ...summary } = finished;
    const { chosen, refused } = findChosen(events, key.replace(/\/repair$/, ""));
    return [{ ...summary, chosen, refused }];
  });
}

/** Which of the changes the task ended with, and how many that come before it were refused. */
function findChosen(events: readonly RunEvent[], taskKey: string): Pick<RepairReport, "chosen" | "refused"> {
  const candidates = new Map<number, number>();
  for (const { type, data } of events) {
    if (type !== "attempt.finished" || typeof data.candidate !== "number") continue;
    if (String(data.key).startsWith(`${taskKey}/a`)) candidates.set(Number(data.attempt), data.candidate);
  }
  const done = events.findLast(({ type, data }) => type === "task.done" && data.key === taskKey);
  const chosen = candidates.get(Number(done?.data.judged ?? done?.data.attempts)) ?? null;
  const refused = events.filter(({ type, data }) => {
    if (type !== "task.verified" || data.verdict !== "failed") return false;
    const candidate = candidates.get(Number(data.attempt));
    const isOwn = String(data.key).startsWith(`${taskKey}/a`) && candidate !== undefined;
    return isOwn && (chosen === null || candidate < chosen);
  });
  return { chosen, refused: refused.length };
}
