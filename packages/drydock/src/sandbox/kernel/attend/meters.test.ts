import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const COUNT = `
import json, mmap, sys
sys.path.insert(0, sys.argv[1])
from attend import meters
device = meters._shared_memory_device()
objects = set()
lines = [line.encode() for line in json.load(sys.stdin)]
count = meters.count_mappings([line.replace(b" 00:01 ", device) for line in lines], device, objects)
real = set()
kept = [mmap.mmap(-1, 4096) for _ in range(3)]
with open("/proc/self/maps", "rb") as file: meters.count_mappings(file, device, real)
print(json.dumps([count, sorted(map(bytes.decode, objects)), len(real)]))
`;

test("shared memory without a file is counted by its device, whatever name the code gave it", () => {
  const lines = [
    "7f00-7f01 rw-s 00000000 00:01 11                         /dev/zero (deleted)\n",
    "7f01-7f02 rw-s 00000000 00:01 12                         [anon_shmem:not here]\n",
    "7f02-7f03 rw-s 00000000 00:01 12                         [anon_shmem:other]\n",
    "7f03-7f04 rw-p 00000000 00:01 13                         /dev/zero (deleted)\n",
    "7f04-7f05 rw-s 00000000 00:01 14                         /SYSV00000000 (deleted)\n",
    "7f05-7f06 rw-s 00000000 00:2a 15                         /tmp/a 00:01 b\n",
    "7f06-7f07 rw-p 00000000 00:00 0 \n",
  ];
  const run = spawnSync("/usr/bin/python3", ["-c", COUNT, join(import.meta.dirname, "..")], {
    input: JSON.stringify(lines),
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  expect(JSON.parse(run.stdout)).toEqual([7, ["11", "12", "13"], 3]);
});
