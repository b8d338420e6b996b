import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alterEvent } from "../testing/alter-record.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const CHECKS = ["python3 -c 'import a'", { type: "file_contains", path: "a.py", needle: "x = 1" }] as const;

describe("a replay of a verification", () => {
  it("judges the directory again", async () => {
    const workspace = test.makeWorkspace({ "a.py": "x = 1\n" });
    const { runId, verdict } = await test.dock.verify({ workspace, checks: CHECKS });
    expect(verdict).toBe("passed");
    const again = await test.dock.runs.replay(runId);
    expect(again).toMatchObject({ ok: true, verdict: "passed", steps: 2, divergences: [] });
    expect((await test.dock.runs.get(again.runId ?? "")).title).toBe(`Replay of ${runId}`);
    expect(await test.dock.runs.replay(again.runId ?? "")).toMatchObject({ ok: true });
  });

  it("names an altered verdict and another directory first", async () => {
    const workspace = test.makeWorkspace({ "a.py": "x = 1\n" });
    const { runId } = await test.dock.verify({ workspace, checks: CHECKS });
    alterEvent(test.home, runId, "check.finished", '"verdict":"passed"', '"verdict":"failed"');
    const [altered, other] = (await test.dock.runs.replay(runId)).divergences;
    expect(altered).toMatchObject({ step: "check.finished", cause: "record" });
    expect(other).toMatchObject({ recorded: "failed", replayed: "passed", follows: true });
    const second = await test.dock.verify({ workspace, checks: CHECKS });
    writeFileSync(join(workspace, "a.py"), "x = 2\n");
    const { divergences } = await test.dock.runs.replay(second.runId);
    expect(divergences[0]).toMatchObject({ step: "workspace", cause: "workspace" });
    expect(divergences[1]).toMatchObject({ step: "check 2", follows: true });
  });
});
