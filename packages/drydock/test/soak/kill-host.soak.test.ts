import { expect, it } from "vitest";
import { killHosts } from "./kill-host.ts";

it("leaves nothing behind when the host is killed at 200 random moments, and the ledger tells the truth", async () => {
  await expect(killHosts(200)).resolves.toBeUndefined();
});
