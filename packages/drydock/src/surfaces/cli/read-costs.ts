import type { Run } from "@drydock/protocol";
import * as z from "zod";
import type { Runs } from "../../app/index.ts";
import { renderMoney } from "./render/render-money.ts";

const Ending = z.looseObject({ usage: z.looseObject({ calls: z.number(), costUsd: z.number().nullable() }) });
/** A run's last events: the one that ends it, and what became of its changes. */
const LAST = 8;

/** What the models of each run cost that asked one: `$0.0123`, or `?` where a price is not known. */
export async function readCosts(ledger: Pick<Runs, "events">, runs: readonly Run[]): Promise<Map<string, string>> {
  const costs = new Map<string, string>();
  for (const { id, kind, events, endedAt } of runs) {
    if (endedAt === null || kind === "exec" || kind === "verify") continue;
    const last = await ledger.events(id, { afterSeq: Math.max(-1, events - 1 - LAST) });
    const ending = last.flatMap(({ data }) => Ending.safeParse(data).data ?? []).at(-1);
    if (!ending || ending.usage.calls === 0) continue;
    const { costUsd } = ending.usage;
    costs.set(id, costUsd === null ? "?" : renderMoney(costUsd));
  }
  return costs;
}
