import { it } from "vitest";
import { expectFlat } from "./flat.ts";

/** The long form, with bounds that say more, is a soak test. */
it("disk, processes and mounts stay flat over some hundred candidates", { timeout: 300_000 }, () =>
  expectFlat(400, { rssMib: 96, homeMib: 1 }),
);
