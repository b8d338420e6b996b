import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { openAtTerminal } from "./testing/at-terminal.ts";

const test = openTestDock();

describe("a program that changes 50,000 files", () => {
  it("has checkpoints that are returned to, and all of it is recorded", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "one\n" });
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace });
    at.type(
      'python3 -c \'import os\nfor d in range(500):\n os.mkdir("d%d" % d)\n for f in range(100): open("d%d/f%d" % (d, f), "w").write(str(f))\'; echo made\r',
    );
    await at.sees("\r\nmade");
    const { number, entries } = await at.handle.checkpoint();
    expect(entries).toBe(50_500);
    at.type("rm -rf d*; ls | wc -l\r");
    await at.sees("\r\n1\r\n");
    await at.handle.rewind(number);
    at.type("find . -type f | wc -l; cat d499/f99; exit\r");
    await at.sees("\r\n50001\r\n");
    await at.sees("99");
    const result = await at.result;
    expect(result.changes.length).toBe(50_000);
  }, 600_000);
});
