import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Track } from "../runs/track-calls.ts";
import type { Deliveries } from "./api.ts";
import type { DeliverPorts } from "./deliver.ts";

/** The code for it is loaded with the first use: most docks deliver nothing. */
export function createDeliveries(ports: DeliverPorts, track: Track): Deliveries {
  const load = () => import("./deliver.ts");
  return {
    apply: (id, options = {}) =>
      track(options.signal, async (signal) => (await load()).applyRun(ports, id, { ...options, signal })),
    discard: (id) => track(undefined, async () => (await load()).discardRun(ports, id)),
    revert: (id, options = {}) =>
      track(options.signal, async (signal) => (await load()).revertRun(ports, id, { signal })),
  };
}

/** Finishes deliveries that a crash interrupted. It is cheap if there are none. */
export async function endLeftDeliveries(ports: Pick<DeliverPorts, "ledger" | "home">): Promise<void> {
  let open: string[] = [];
  try {
    open = readdirSync(join(ports.home, "deliveries", "open"));
  } catch {
    return; // nothing has ever been delivered
  }
  if (open.length > 0) await (await import("./deliver.ts")).recoverHome(ports);
}
