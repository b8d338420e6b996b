import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryDirectory } from "../../../base/testing/temporary-directory.ts";

const directory = useTemporaryDirectory();

/** The files of a group of the unified hierarchy, as plain files. */
const COUNT = `
import os, sys
sys.path.insert(0, sys.argv[1])
from contain import cgroups
slot = cgroups.SlotV2(os.open(sys.argv[2], os.O_RDONLY), "s0", None, None)
slot.start_counting()
print(slot.resets_peak)
`;

test("the most memory of a run is counted from its start, in the unified hierarchy as well", () => {
  const slot = join(directory, "s0");
  mkdirSync(slot);
  const files =
    "memory.swap.max memory.max memory.peak memory.stat memory.events pids.max pids.events pids.current cpu.stat";
  for (const name of files.split(" ")) writeFileSync(join(slot, name), "");
  const kernel = dirname(import.meta.dirname);
  expect(execFileSync("/usr/bin/python3", ["-I", "-c", COUNT, kernel, directory], { encoding: "utf8" })).toBe("True\n");
  expect(readFileSync(join(slot, "memory.peak"), "utf8")).toBe("reset");
});
