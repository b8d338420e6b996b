import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Layer, Verdict } from "@drydock/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedactor, type Ledger, openLedger, readOwner } from "../../ledger/index.ts";
import { createPolicies } from "../policies/create-policies.ts";
import { keepLayerBases } from "../runs/record/keep-bases.ts";
import { applyRun, type DeliverPorts, discardRun, revertRun } from "./deliver.ts";

const OLD = "one\ntwo\nthree\nfour\nfive\n";
const NEW = OLD.replace("two", "TWO");

interface Opened {
  ports: DeliverPorts;
  ledger: Ledger;
  workspace: string;
  read(): string;
}

async function open(): Promise<Opened> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "drydock-deliver-app-")));
  const home = join(root, "home");
  const workspace = realpathSync(mkdtempSync(join(root, "workspace-")));
  const redactor = createRedactor({ environment: {}, allowedNames: () => true });
  const ledger = await openLedger({ home, redactor, owner: readOwner() });
  onTestFinished(async () => {
    await ledger.close();
    rmSync(root, { recursive: true });
  });
  writeFileSync(join(workspace, "a.txt"), OLD);
  const ports = { ledger, policies: createPolicies(home), home, own: [home], searchPath: "/usr/bin:/bin" };
  return { ports, ledger, workspace, read: () => readFileSync(join(workspace, "a.txt"), "utf8") };
}

/** A goal that has ended so, with a layer that no check has judged before the one that all have. */
async function addGoal(
  { ports, ledger, workspace }: Opened,
  verdict: Verdict,
  judged = "tree",
  added: string[] = [],
): Promise<string> {
  const { effective: policy } = await ports.policies.resolve({ workspace });
  const { id: runId } = await ledger.createRun({ kind: "goal", title: "Fix it", workspace, data: { policy } });
  const [sha256, wasSha256] = [NEW, OLD].map((text) => hash("sha256", text));
  await ledger.blobs.put(Buffer.from(NEW), { runId });
  const entry = { path: "a.txt", kind: "changed", type: "file", mode: 0o644, sha256 } as const;
  const was = { wasType: "file", wasMode: 0o644, wasSha256 } as const;
  const report = { workspace, baseHash: "base", changedUnderneath: [], denied: [] };
  const fresh = added.map((path) => ({ ...entry, path, kind: "added" as const }));
  const layer: Layer = { version: 1, ...report, treeHash: "tree", entries: [{ ...entry, ...was }, ...fresh] };
  const early = await ledger.blobs.put(Buffer.from(JSON.stringify({ ...layer, entries: [] })), { runId });
  const blob = await ledger.blobs.put(Buffer.from(JSON.stringify(layer)), { runId });
  await ledger.append(runId, [
    { type: "layer.captured", data: { key: "final", final: true, layer: blob.sha256, treeHash: "tree" } },
    { type: "layer.captured", data: { key: "t2/a1", layer: early.sha256, treeHash: "other" } },
  ]);
  await keepLayerBases(ledger, runId, layer);
  const type = verdict === "passed" ? "run.succeeded" : "run.failed";
  await ledger.finish(runId, { type, data: { verdict, treeHash: judged } });
  return runId;
}

describe("what a goal made", () => {
  it("is delivered where it passed: the layer that was judged as a whole", async () => {
    const dock = await open();
    const runId = await addGoal(dock, "passed");
    expect(await applyRun(dock.ports, runId)).toMatchObject({
      outcome: "applied",
      changes: [{ path: "a.txt", kind: "changed" }],
      notes: [],
    });
    expect(dock.read()).toBe(NEW);
    const events = await dock.ledger.events(runId);
    expect(events.at(-1)).toMatchObject({
      type: "layer.applied",
      data: { treeHash: "tree", files: 1, merged: [], deliveredTo: dock.workspace },
    });
  });

  it("is delivered whole where checks have judged it: a verdict is about one tree", async () => {
    const dock = await open();
    execFileSync("git", ["init", "-q", dock.workspace]);
    writeFileSync(join(dock.workspace, ".gitignore"), "*.log\n");
    const runId = await addGoal(dock, "passed", "tree", ["made.log"]);
    expect(await applyRun(dock.ports, runId)).toMatchObject({ outcome: "applied", ignored: 0, notes: [] });
    expect(readFileSync(join(dock.workspace, "made.log"), "utf8")).toBe(NEW);
    expect((await dock.ledger.events(runId)).at(-1)).toMatchObject({ data: { treeHash: "tree", files: 2 } });
  });

  it.each([
    ["failed", "tree"],
    ["unverified", "tree"],
    ["passed", "another tree"],
  ] as const)("is not delivered with verdict %s on %s", async (verdict, judged) => {
    const dock = await open();
    const runId = await addGoal(dock, verdict, judged);
    await expect(applyRun(dock.ports, runId)).rejects.toMatchObject({ code: "policy.approval_denied" });
    await expect(applyRun(dock.ports, runId, { branch: "x" })).rejects.toMatchObject({
      code: "policy.approval_denied",
    });
    expect(dock.read()).toBe(OLD);
    await expect(revertRun(dock.ports, runId)).rejects.toMatchObject({ code: "delivery.conflict" });
    expect(await discardRun(dock.ports, runId)).toEqual({ runId, outcome: "discarded" });
  });

  it("is merged with what the user changed meanwhile, from what was kept at its end", async () => {
    const dock = await open();
    const runId = await addGoal(dock, "passed");
    writeFileSync(join(dock.workspace, "a.txt"), OLD.replace("five", "FIVE"));
    const applied = await applyRun(dock.ports, runId);
    expect(applied).toMatchObject({
      outcome: "applied",
      merged: ["a.txt"],
      notes: [expect.stringMatching(/no check/)],
    });
    expect((await dock.ledger.events(runId)).at(-1)?.data).toMatchObject({ merged: ["a.txt"], treeHash: null });
    expect(dock.read()).toBe(NEW.replace("five", "FIVE"));
    expect(await revertRun(dock.ports, runId)).toMatchObject({ outcome: "reverted" });
    expect(dock.read()).toBe(OLD.replace("five", "FIVE"));
    await expect(revertRun(dock.ports, runId)).rejects.toMatchObject({
      message: `The changes of run ${runId} are undone already.`,
    });
  });

  it("is delivered once where two ask for it at the same time", async () => {
    const dock = await open();
    const runId = await addGoal(dock, "passed");
    const outcomes = await Promise.all([applyRun(dock.ports, runId), applyRun(dock.ports, runId)]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["already", "applied"]);
    const types = (await dock.ledger.events(runId)).map(({ type }) => type);
    expect(types.filter((type) => type === "layer.applied")).toHaveLength(1);
  });

  it("is recorded as applied where everything is there already, and can be reverted on record", async () => {
    const dock = await open();
    const runId = await addGoal(dock, "passed");
    writeFileSync(join(dock.workspace, "a.txt"), NEW);
    expect(await applyRun(dock.ports, runId)).toMatchObject({ outcome: "applied", changes: [] });
    expect(await applyRun(dock.ports, runId)).toMatchObject({ outcome: "already" });
    expect(await revertRun(dock.ports, runId)).toMatchObject({ outcome: "reverted", changes: [] });
    expect(dock.read()).toBe(NEW);
  });

  it("can't be delivered while the run has not ended, nor where there is none", async () => {
    const dock = await open();
    const { id } = await dock.ledger.createRun({ kind: "goal", title: "x", workspace: dock.workspace, data: {} });
    await expect(applyRun(dock.ports, id)).rejects.toMatchObject({ code: "delivery.conflict" });
    await expect(discardRun(dock.ports, id)).rejects.toMatchObject({ code: "delivery.conflict" });
    await expect(applyRun(dock.ports, "run_none")).rejects.toMatchObject({ code: "run.not_found" });
  });
});
