import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../../../../base/locks/index.ts";

/** Does something that takes a lock, again and again while another process holds it, the event loop free in between. */
export async function retryWhileBusy<T>(timeoutMs: number, attempt: () => T): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(1 + Math.random() * 9);
    }
  }
}
