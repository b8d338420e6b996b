import type { GoalPorts } from "../goals/index.ts";
import type { Track } from "../runs/track-calls.ts";
import type { Receipts } from "./api.ts";
import type { ReceiptPorts } from "./make-receipt.ts";

/** The code for it is loaded with the first use. */
export function createReceipts(ports: GoalPorts & ReceiptPorts & { temporary: string }, track: Track): Receipts {
  return {
    receipt: (id, options) =>
      track(undefined, async () => (await import("./make-receipt.ts")).makeReceipt(ports, id, options)),
    replayReceipt: (bytes, options = {}) =>
      track(options.signal, async (signal) =>
        (await import("./replay-receipt.ts")).replayReceipt(ports, bytes, { ...options, signal }),
      ),
  };
}
