import { expect, it } from "vitest";
import { killHosts } from "./kill-host.ts";

/** `npm run soak` kills many more. */
const KILLS = 8;

it("leaves nothing behind when the host is killed at random moments, and the ledger tells the truth", async () => {
  await expect(killHosts(KILLS)).resolves.toBeUndefined();
}, 180_000);
