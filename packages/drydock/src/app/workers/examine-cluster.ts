import { countWord, type DoctorFinding, type DoctorReport, type WorkerInfo } from "@drydock/protocol";
import { type Boss, LEASE_SECONDS, listWorkers, type QueueState, readQueueState } from "../../queue/index.ts";

const SKEW_MS = 5000;
const LONG_SECONDS = 60;

/** Whether runs that wait will be carried out: the database's clock, the workers, and what no worker offers. */
export async function examineCluster({ sql }: Pick<Boss, "sql">): Promise<DoctorReport> {
  const workers = await listWorkers(sql, LEASE_SECONDS);
  const state = await readQueueState(sql);
  const skewMs = Math.abs(Date.now() - state.clockMs);
  const findings = [...checkWorkers(workers), ...checkWaiting(state, workers), checkGivenUp(state), checkClock(skewMs)];
  return { ok: findings.every((finding) => finding.state !== "missing"), level: "none", findings, timings: [] };
}

function checkWorkers(workers: readonly WorkerInfo[]): DoctorFinding[] {
  const active = workers.filter((worker) => worker.state === "active");
  const slots = active.reduce((sum, worker) => sum + worker.slots, 0);
  const machines = new Set(active.map(({ machine }) => machine)).size;
  const detail = `${countWord(active.length, "active worker")} on ${countWord(machines, "machine")}, ${countWord(slots, "slot")}`;
  const findings: DoctorFinding[] = [
    active.length > 0
      ? { name: "workers", state: "ok", detail }
      : { name: "workers", state: "missing", detail: "no active worker", remedy: "Start one: drydock worker" },
  ];
  const silent = workers.filter((worker) => worker.state === "silent");
  if (silent.length > 0) {
    const names = silent.map(({ name }) => name).join(", ");
    findings.push({
      name: "silent workers",
      state: "limited",
      detail: names,
      remedy: "Look at their machines; others carry out their runs.",
    });
  }
  const versions = [...new Set(active.map(({ version }) => version))].sort();
  if (versions.length > 1) {
    const remedy = "Drain the workers of the older version: drydock workers drain NAME";
    findings.push({ name: "versions", state: "limited", detail: `workers of ${versions.join(" and ")}`, remedy });
  }
  return findings;
}

function checkWaiting({ waiting, parked, claimed }: QueueState, workers: readonly WorkerInfo[]): DoctorFinding[] {
  const runs = waiting.reduce((sum, each) => sum + each.runs, 0);
  const detail = `${countWord(runs, "run")} waiting, ${claimed} under way, ${parked} over a cap`;
  const longest = Math.max(0, ...waiting.map(({ seconds }) => seconds));
  const findings: DoctorFinding[] = [
    longest > LONG_SECONDS
      ? {
          name: "queue",
          state: "limited",
          detail: `${detail}; the first waits for ${Math.round(longest)} s`,
          remedy: "Start more workers, or give them more slots.",
        }
      : { name: "queue", state: "ok", detail },
  ];
  for (const { needs, runs: count } of waiting) {
    const isServed = workers.some(
      ({ state, offers }) => state === "active" && needs.every((need) => offers.includes(need)),
    );
    if (isServed) continue;
    const needed = `${countWord(count, "run")} that no active worker can carry out: ${needs.join(", ")}`;
    findings.push({
      name: "needs",
      state: "missing",
      detail: needed,
      remedy: "Start a worker there, with these labels: drydock worker --labels …",
    });
  }
  return findings;
}

function checkGivenUp({ givenUp }: QueueState): DoctorFinding {
  const detail = `${countWord(givenUp, "run")} in the last 7 days`;
  return givenUp === 0
    ? { name: "given up", state: "ok", detail: "none in the last 7 days" }
    : {
        name: "given up",
        state: "limited",
        detail,
        remedy: "drydock runs list --status lost; each run's record has the last error.",
      };
}

function checkClock(skewMs: number): DoctorFinding {
  const detail = `${(skewMs / 1000).toFixed(1)} s apart from this machine`;
  return skewMs < SKEW_MS
    ? { name: "database's clock", state: "ok", detail }
    : {
        name: "database's clock",
        state: "limited",
        detail,
        remedy: "Set both by NTP: times in records come from each machine.",
      };
}
