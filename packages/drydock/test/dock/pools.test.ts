import { describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesOf } from "../../src/base/testing/processes.ts";
import { AROUND } from "../soak/stability.ts";
import { openTestDock } from "../testing/test-dock.ts";

/** Two fork servers, each with one member of two processes. */
const FULL = 2 * (AROUND + 2);

// Nothing has imported the libraries of data work yet: what wants them takes a plain member meanwhile.
describe.each(["run", "session"])("a %s that took a member from another pool than its own", (kind) => {
  const dock = openTestDock({ warm: 1 });

  it("has it made up for there", async () => {
    if (kind === "run") expect(await dock.python("import numpy\n1")).toMatchObject({ ok: true });
    else await (await dock.dock.sessions.open()).close();
    await eventually(() => processesOf(dock.home).length === FULL, 20_000);
    expect(processesOf(dock.home)).toHaveLength(FULL);
  });
});
