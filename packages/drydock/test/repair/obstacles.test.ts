import { describe, expect, it } from "vitest";
import { type RepairRequest, searchRepair } from "../../src/engine/repair/index.ts";
import { openTestDock } from "../dock/test-dock.ts";
import { makeMutableTree } from "../strength/mutable-tree.ts";
import { createDockRunner, POLICY } from "../verify/judge.ts";

const test = openTestDock();

describe("a search for a repair", () => {
  it("says why it can't begin where nothing in scope is source", async () => {
    const request: RepairRequest = {
      tree: makeMutableTree({ "notes.txt": "x\n" }),
      checks: [{ type: "command", cmd: "grep -q y notes.txt" }],
      scope: ["**"],
      seed: 1,
      limits: { seconds: 20, candidates: 100 },
    };
    const outcome = await searchRepair(request, { runner: createDockRunner(test.dock), policy: POLICY });
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "no_source" }, found: [], tried: 0 });
  });
});
