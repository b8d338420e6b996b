import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "@drydock/protocol";
import type { DeliverPorts } from "./deliver.ts";

interface Told {
  runId: string;
  workspace: string;
  /** Set where the changes went on a branch, and not into the directory. */
  branch: string | null;
  commit: string | null;
  changes: Change[];
  /** Files whose content is now the user's and the run's together. */
  merged: string[];
  notes: string[];
}

export interface Delivered extends Told {
  /** `already`: it was applied before; `nothing`: the run changed nothing. */
  outcome: "applied" | "already" | "nothing";
}

export interface Reverted extends Told {
  outcome: "reverted";
}

export interface Discarded {
  runId: string;
  outcome: "discarded" | "already";
}

export interface Deliveries {
  /**
   * Puts what the run changed into its workspace, wholly or not at all, or on a new branch. DrydockError
   * `delivery.conflict` names the files (`data.files`) that stand in the way; nothing is changed then.
   */
  apply(id: string, options?: { branch?: string; signal?: AbortSignal }): Promise<Delivered>;
  /** Says that what the run changed is not wanted; it can't be applied any more. */
  discard(id: string): Promise<Discarded>;
  /** Undoes an apply, wholly or not at all. */
  revert(id: string, options?: { signal?: AbortSignal }): Promise<Reverted>;
}

/** The code for it is loaded with the first use: most docks deliver nothing. */
export function createDeliveries(
  ports: DeliverPorts,
  track: <T>(signal: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>) => Promise<T>,
): Deliveries {
  const load = () => import("./deliver.ts");
  return {
    apply: (id, options = {}) =>
      track(options.signal, async (signal) => (await load()).applyRun(ports, id, { ...options, signal })),
    discard: (id) => track(undefined, async () => (await load()).discardRun(ports, id)),
    revert: (id, options = {}) =>
      track(options.signal, async (signal) => (await load()).revertRun(ports, id, { signal })),
  };
}

/** Ends what a crash left in the middle. Looking whether there is any costs nothing. */
export async function endLeftDeliveries(ports: Pick<DeliverPorts, "ledger" | "home">): Promise<void> {
  let open: string[] = [];
  try {
    open = readdirSync(join(ports.home, "deliveries", "open"));
  } catch {
    return; // nothing has ever been delivered
  }
  if (open.length > 0) await (await import("./deliver.ts")).recoverHome(ports);
}
