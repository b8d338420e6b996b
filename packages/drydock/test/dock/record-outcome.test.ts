import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordOutcome } from "../../src/app/runs/record/record-outcome.ts";
import { openTreeDock, type TreeDock } from "../testing/tree-dock.ts";

const BIG = Buffer.alloc(6 << 20, "a");
let dock: TreeDock;

beforeAll(async () => {
  dock = await openTreeDock();
});
afterAll(() => dock.close());

test.each([
  ["written again as it was", "a", 0],
  ["changed", "b", 1],
])("a large file that is %s leaves nothing on the way once it is recorded", async (_, letter, changes) => {
  const { ledger, policy, sandbox } = dock;
  const workspace = dock.makeWorkspace({ "big.bin": BIG });
  const code = `open("big.bin", "wb").write(b"${letter}" * (6 << 20))`;
  const outcome = await sandbox.run({ work: { language: "python", code }, policy, workspace, environment: {} });
  expect(readdirSync(dock.spool)).toHaveLength(1);
  const { id } = await ledger.createRun({ kind: "exec", title: "large", workspace, data: {} });
  const { result } = await recordOutcome(ledger, id, outcome);
  expect([result.ok, result.changes.length]).toEqual([true, changes]);
  expect(readdirSync(dock.spool)).toEqual([]);
});
