import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WrapReview } from "drydock";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { openAtTerminal } from "./testing/at-terminal.ts";

const test = openTestDock();

/** A check that fails before the change. */
const CHECK = { type: "file_contains", path: "value.txt", needle: "fixed" } as const;

function makeWorkspace(): string {
  return test.makeWorkspace({ "value.txt": "broken\n" });
}

const write = (text: string) => ["sh", "-c", `echo ${text} > value.txt`];

describe("the end of a wrap", () => {
  it("applies what passed its checks, once somebody who saw the effect says so; and that can be undone", async () => {
    const workspace = makeWorkspace();
    const reviews: WrapReview[] = [];
    const result = await test.dock.wraps.run({
      command: write("fixed"),
      workspace,
      checks: [CHECK],
      decide: async (review) => {
        reviews.push(review);
        expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
        return "apply";
      },
    });
    expect(reviews).toMatchObject([
      {
        verdict: "passed",
        refusal: null,
        changes: [{ path: "value.txt", kind: "changed" }],
        checks: [{ verdict: "passed" }],
      },
    ]);
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied", deliveryError: null });
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("fixed\n");
    expect(await test.dock.runs.get(result.runId)).toMatchObject({
      kind: "wrap",
      status: "succeeded",
      verdict: "passed",
      treeHash: result.treeHash,
    });
    const { checks, deliveries } = await test.dock.runs.findings(result.runId);
    expect(checks).toMatchObject([{ result: { verdict: "passed", source: "user", proves: true } }]);
    expect(deliveries).toMatchObject([{ type: "layer.applied" }]);
    expect(await test.dock.runs.report(result.runId)).toContain("value.txt");
    await test.dock.runs.revert(result.runId);
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
  });

  it("delivers nothing that a check refuses, whoever says so, then or later", async () => {
    const workspace = makeWorkspace();
    const options = { command: write("worse"), workspace, checks: [CHECK] };
    const result = await test.dock.wraps.run({ ...options, decide: async () => "apply" as const });
    expect(result).toMatchObject({
      verdict: "failed",
      delivery: "kept",
      deliveryError: { code: "policy.approval_denied" },
      exitCode: 0,
    });
    await expect(test.dock.runs.apply(result.runId, { allowUnproven: true })).rejects.toMatchObject({
      code: "policy.approval_denied",
    });
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
  });

  it("judges who goes on from a run by the checks of that run, however often", async () => {
    const workspace = makeWorkspace();
    const apply = async () => "apply" as const;
    const first = await test.dock.wraps.run({ command: write("worse"), workspace, checks: [CHECK] });
    const second = await test.dock.wraps.run({ command: ["true"], workspace, from: first.runId, decide: apply });
    expect(second).toMatchObject({ verdict: "failed", delivery: "kept", checks: [{ verdict: "failed" }] });
    const third = await test.dock.wraps.run({ command: ["true"], workspace, from: second.runId, decide: apply });
    expect(third).toMatchObject({ verdict: "failed", delivery: "kept" });
    await expect(test.dock.runs.apply(third.runId)).rejects.toMatchObject({ code: "policy.approval_denied" });
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
    const mended = await test.dock.wraps.run({ command: write("fixed"), workspace, from: third.runId, decide: apply });
    expect(mended).toMatchObject({ verdict: "passed", delivery: "applied" });
  });

  it("delivers nothing whose checks were declared and not made, until they are made", async () => {
    const workspace = makeWorkspace();
    const endEarly = async (text: string) => {
      const stopping = new AbortController();
      const options = { command: write(text), workspace, checks: [CHECK], signal: stopping.signal };
      return test.dock.wraps.run({ ...options, onEnded: () => stopping.abort() });
    };
    const bad = await endEarly("worse");
    expect(bad).toMatchObject({ verdict: "unverified", delivery: "kept", checks: [], refusal: expect.any(String) });
    const last = bad.checkpoints - 1;
    const refusal = { code: "policy.approval_denied", hint: expect.stringContaining(`rewind ${bad.runId} ${last}`) };
    await expect(test.dock.runs.apply(bad.runId)).rejects.toMatchObject(refusal);
    await expect(test.dock.runs.apply(bad.runId, { allowUnproven: true })).rejects.toMatchObject(refusal);
    expect((await test.dock.wraps.rewind(bad.runId, last)).result).toMatchObject({ verdict: "failed" });
    const good = await endEarly("fixed");
    const judged = await test.dock.wraps.rewind(good.runId, good.checkpoints - 1);
    expect(judged.result).toMatchObject({ verdict: "passed", refusal: null });
    await test.dock.runs.apply(judged.runId);
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("fixed\n");
  });

  it("judges by the workspace's own checks, and a program can't change those", async () => {
    const workspace = test.makeWorkspace({
      "value.txt": "broken\n",
      ".drydock/checks.yaml": "checks:\n  - { type: file_contains, path: value.txt, needle: fixed }\n",
    });
    const command = ["sh", "-c", "echo 'checks: []' > .drydock/checks.yaml; echo cheated > value.txt"];
    const result = await test.dock.wraps.run({ command, workspace, decide: async () => "apply" });
    expect(result).toMatchObject({ verdict: "failed", delivery: "kept" });
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("broken\n");
  });

  it("keeps the changes where nothing was said, and discards them where that was said", async () => {
    const kept = await test.dock.wraps.run({ command: write("kept"), workspace: makeWorkspace() });
    expect(kept).toMatchObject({ verdict: "unverified", delivery: "kept" });
    const options = { command: write("gone"), workspace: makeWorkspace() };
    const gone = await test.dock.wraps.run({ ...options, decide: async () => "discard" as const });
    expect(gone.delivery).toBe("discarded");
    await expect(test.dock.runs.apply(gone.runId)).rejects.toMatchObject({ code: "delivery.conflict" });
  });

  it("names the hosts that the program tried", async () => {
    const command = [
      "python3",
      "-c",
      "import urllib.request as u\ntry: u.urlopen('http://refused.example/')\nexcept Exception as e: print(e)",
    ];
    const result = await test.dock.wraps.run({ command, workspace: makeWorkspace() });
    expect(result.network.refused).toMatchObject([{ host: "refused.example", port: 80 }]);
    const types = (await test.dock.runs.events(result.runId)).map(({ type }) => type);
    expect(types).toContain("network.refused");
  });

  it("merges with what was changed meanwhile, and refuses where that does not fit", async () => {
    const workspace = makeWorkspace();
    const decide = async () => {
      writeFileSync(join(workspace, "value.txt"), "by hand\n");
      return "apply" as const;
    };
    const result = await test.dock.wraps.run({ command: write("fixed"), workspace, decide });
    expect(result).toMatchObject({ delivery: "kept", deliveryError: { code: "delivery.conflict" } });
    expect(readFileSync(join(workspace, "value.txt"), "utf8")).toBe("by hand\n");
  });

  it("tells of another wrap on the same workspace, and both keep what they changed", async () => {
    const workspace = makeWorkspace();
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace });
    const other = await test.dock.wraps.run({ command: write("other"), workspace });
    expect(other.notes.join()).toContain(at.handle.runId);
    at.type("cat value.txt; echo mine > value.txt; exit\r");
    await at.sees("broken");
    const result = await at.result;
    expect(result.changes).toEqual([{ path: "value.txt", kind: "changed" }]);
    await test.dock.runs.apply(other.runId);
    await expect(test.dock.runs.apply(result.runId)).rejects.toMatchObject({ code: "delivery.conflict" });
  });

  it("records a program that can't be started, and one that is cancelled", async () => {
    const missing = await test.dock.wraps.run({ command: ["no-such-program"], workspace: makeWorkspace() });
    expect(missing).toMatchObject({ exitCode: 127, delivery: "nothing" });
    const at = await openAtTerminal(test.dock, { command: ["bash", "--norc"], workspace: makeWorkspace() });
    at.type("echo half > value.txt; echo up\r");
    await at.sees("\r\nup");
    await test.dock.runs.cancel(at.handle.runId);
    expect(await at.result).toMatchObject({
      error: { code: "run.cancelled" },
      delivery: "kept",
      verdict: "unverified",
    });
  });

  it("is not replayed: what was typed is on no record", async () => {
    const { runId } = await test.dock.wraps.run({ command: ["true"], workspace: makeWorkspace() });
    await expect(test.dock.runs.replay(runId)).rejects.toMatchObject({ message: expect.stringContaining("typed") });
  });
});
