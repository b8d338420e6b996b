import { readdirSync, rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepContents } from "../../src/app/runs/record/record-layer.ts";
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

test("two large files with the same content leave nothing on the way", async () => {
  const { ledger, policy, sandbox } = dock;
  const workspace = dock.makeWorkspace({});
  const code = "for name in ('one.bin', 'two.bin'): open(name, 'wb').write(b'c' * (6 << 20))";
  const outcome = await sandbox.run({ work: { language: "python", code }, policy, workspace, environment: {} });
  expect(readdirSync(dock.spool)).toHaveLength(1);
  const { id } = await ledger.createRun({ kind: "exec", title: "twice", workspace, data: {} });
  const { result } = await recordOutcome(ledger, id, outcome);
  expect(result.changes.map(({ path }) => path)).toEqual(["one.bin", "two.bin"]);
  expect(readdirSync(dock.spool)).toEqual([]);
});

test("a large file leaves nothing on the way where it could not be recorded", async () => {
  const { ledger, policy, sandbox } = dock;
  const workspace = dock.makeWorkspace({});
  const code = "open('big.bin', 'wb').write(b'd' * (6 << 20))";
  const run = () => sandbox.run({ work: { language: "python", code }, policy, workspace, environment: {} });
  const full = () => Promise.reject(new Error("no space left on device"));
  const { id } = await ledger.createRun({ kind: "exec", title: "full", workspace, data: {} });
  const noArtifacts = { ...ledger, artifacts: { ...ledger.artifacts, put: full } };
  await expect(recordOutcome(noArtifacts, id, await run())).rejects.toThrow("no space left");
  expect(readdirSync(dock.spool)).toEqual([]);
  const noBlobs = { ...ledger, blobs: { ...ledger.blobs, putAll: full } };
  await expect(recordOutcome(noBlobs, id, await run())).rejects.toThrow("no space left");
  expect(readdirSync(dock.spool)).toEqual([]);
  await expect(keepContents(noBlobs, id, await run())).rejects.toThrow("no space left");
  expect(readdirSync(dock.spool)).toEqual([]);
});

test("a large file leaves nothing on the way where the run can't be judged", async () => {
  const { policy, sandbox } = dock;
  const workspace = dock.makeWorkspace({ "a.txt": "a" });
  const code =
    "open('big.bin', 'wb').write(b'e' * (6 << 20))\nprint('written', flush=True)\nimport time\ntime.sleep(1)";
  const onOutput = () => rmSync(workspace, { recursive: true, force: true });
  const run = sandbox.run({ work: { language: "python", code }, policy, workspace, environment: {}, onOutput });
  await expect(run).rejects.toThrow("does not exist");
  expect(readdirSync(dock.spool)).toEqual([]);
});
