import { expect, it } from "vitest";
import { killHosts } from "./kill-host.ts";

it("leaves nothing behind when the host is killed at 20 random moments, and the ledger tells the truth", async () => {
  await expect(killHosts(20)).resolves.toBeUndefined();
}, 180_000);
