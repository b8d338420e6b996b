import { GoalUsage, type Run } from "@drydock/protocol";
import type { Runs } from "../../app/index.ts";
import { renderMoney } from "./render/render-money.ts";

/** A run's last events: the one that ends it, and what became of its changes. */
const LAST = 8;

/** What the models of a run used, as its end says; null where it asked none. */
export async function readUsed(
  ledger: Pick<Runs, "events">,
  { id, kind, events, endedAt }: Run,
): Promise<GoalUsage | null> {
  if (endedAt === null || kind === "exec" || kind === "verify") return null;
  const last = await ledger.events(id, { afterSeq: Math.max(-1, events - 1 - LAST) });
  // `spent`: what the host has measured, where `usage` is what a runner says of itself.
  const used = last.flatMap(({ data }) => GoalUsage.safeParse(data.spent ?? data.usage).data ?? []).at(-1);
  return used && used.calls > 0 ? used : null;
}

/** What the models of each run cost that asked one: `$0.0123`, or `?` where a price is not known. */
export async function readCosts(ledger: Pick<Runs, "events">, runs: readonly Run[]): Promise<Map<string, string>> {
  const costs = new Map<string, string>();
  for (const run of runs) {
    const used = await readUsed(ledger, run);
    if (used) costs.set(run.id, used.costUsd === null ? "?" : renderMoney(used.costUsd));
  }
  return costs;
}
