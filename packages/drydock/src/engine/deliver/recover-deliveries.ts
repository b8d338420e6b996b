import { join } from "node:path";
import { applyJournal, type StepListener } from "./apply-journal.ts";
import {
  closeDelivery,
  directoryOf,
  listOpenDeliveries,
  type OpenDelivery,
  tryWorkspaceLock,
} from "./delivery-lock.ts";
import { openDeliveryTarget } from "./delivery-target.ts";
import { type DeliveryJournal, readJournal, removeDurably } from "./journal.ts";
import { forget, markDone, undoDelivery } from "./run-delivery.ts";
import { removeTemporaries } from "./stage-delivery.ts";
import { toDeliveryError } from "./to-delivery-error.ts";

export interface RecoveryOptions {
  /** Records a finished delivery. It may be called twice for the same one. */
  record(delivery: OpenDelivery, journal: DeliveryJournal): Promise<void>;
  onStep?: StepListener;
}

export interface Recovered extends OpenDelivery {
  outcome: "completed" | "undone";
}

export interface RecoveryReport {
  recovered: Recovered[];
  failed: { delivery: OpenDelivery; error: unknown }[];
}

/** Completes or undoes what crashes have left half done below `home`. Those under way elsewhere are left alone. */
export async function recoverDeliveries(home: string, options: RecoveryOptions): Promise<RecoveryReport> {
  const deliveries = join(home, "deliveries");
  const report: RecoveryReport = { recovered: [], failed: [] };
  for (const delivery of await listOpenDeliveries(deliveries)) {
    using lock = tryWorkspaceLock(deliveries, delivery.workspace);
    if (!lock) continue;
    try {
      report.recovered.push(...(await recoverWorkspace(deliveries, delivery.workspace, options)));
    } catch (error) {
      report.failed.push({ delivery, error: toDeliveryError(error, delivery.workspace) });
    }
  }
  return report;
}

/** The same for one workspace. The caller holds its lock. */
export async function recoverWorkspace(
  deliveries: string,
  workspace: string,
  options: RecoveryOptions,
): Promise<Recovered[]> {
  const open = (await listOpenDeliveries(deliveries)).filter((each) => each.workspace === workspace);
  const recovered: Recovered[] = [];
  for (const delivery of open) recovered.push({ ...delivery, outcome: await recoverDelivery(delivery, options) });
  return recovered;
}

async function recoverDelivery(
  delivery: OpenDelivery,
  { record, onStep }: RecoveryOptions,
): Promise<Recovered["outcome"]> {
  const directory = directoryOf(delivery);
  const journal = await readJournal(directory);
  const done = journal?.state === "done" ? journal : await settle(delivery, journal, onStep);
  if (done) {
    await record(delivery, done);
    await concludeDelivery(delivery);
  } else {
    if (!journal) await removeDurably(directory).catch(() => {});
    await closeDelivery(delivery);
  }
  onStep?.("recovered");
  return done ? "completed" : "undone";
}

/** After it is on record: what has been reverted needs nothing any more, what has been applied may be reverted. */
export async function concludeDelivery(delivery: OpenDelivery): Promise<void> {
  if (delivery.kind === "revert") {
    // The journal goes first: a delivery without one has never been, whatever else is still there.
    await removeDurably(join(delivery.journalDirectory, "journal.json"));
    await removeDurably(delivery.journalDirectory);
  }
  await closeDelivery(delivery);
}

async function settle(
  delivery: OpenDelivery,
  journal: DeliveryJournal | null,
  onStep?: StepListener,
): Promise<DeliveryJournal | null> {
  if (!journal) return null;
  const directory = directoryOf(delivery);
  const target = await openDeliveryTarget(delivery.workspace);
  try {
    if (journal.state === "preparing") {
      await forget(target, directory, journal.items);
      return null;
    }
    if (journal.state === "prepared") {
      const left = await complete();
      if (left) return await markDone(directory, journal, left, onStep);
    }
    await undoDelivery(target, directory, journal, onStep);
    return null;
  } finally {
    await target.close();
  }

  /** Null: something stands in the way of completing it. */
  async function complete(): Promise<string[] | null> {
    const items = journal?.items ?? [];
    try {
      const left = await applyJournal({ target, items, onDisturbed: "leave", onStep });
      await removeTemporaries(target, items);
      return left;
    } catch {
      return null;
    }
  }
}
