import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { expect, test } from "vitest";

/** Signals are printed and not sent: this runs on the host. */
const ATTEMPTS = `
import os, sys
sys.path.insert(0, sys.argv[1])
os.kill = lambda *call: print("sent", call)
from attend import ending
from contain import process_status
for attempt in (ending.kill_namespace, lambda: process_status.kill([os.getppid()])):
    try:
        attempt()
    except RuntimeError as error:
        print("refused:", error)
`;

test("nothing is ended by a process that is not pid 1 of a namespace: it would see the host's processes", () => {
  const kernel = dirname(import.meta.dirname);
  const printed = execFileSync("/usr/bin/python3", ["-I", "-c", ATTEMPTS, kernel], { encoding: "utf8" });
  expect(printed).toBe("refused: only pid 1 of a namespace may end everything in it\n".repeat(2));
});
