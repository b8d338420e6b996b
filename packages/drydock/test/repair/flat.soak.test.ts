import { it } from "vitest";
import { expectFlat } from "./flat.ts";

it("memory, disk, processes and mounts stay flat over 10,000 candidates", { timeout: 7_200_000 }, () =>
  expectFlat(10_000, { rssMib: 96, homeMib: 8 }),
);
