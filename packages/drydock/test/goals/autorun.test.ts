import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AutorunFile } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

const WRITES = [
  { path: "a.txt", content: "a" },
  { path: ".rvmrc", content: "touch x" },
];
const plan = { goal: "x", tasks: [{ id: "a", attempts: 1, checks: [{ type: "file_exists", path: "a.txt" }] }] };

describe("a goal whose result runs by itself", () => {
  it("keeps its verdict and its changes, and names the command that delivers them", async () => {
    const t = await openGoalDock({ "b.txt": "b" });
    const result = await t.run([{ writes: WRITES }], { plan });
    expect(result).toMatchObject({
      status: "succeeded",
      verdict: "passed",
      delivery: "kept",
      error: {
        code: "policy.approval_denied",
        hint: expect.stringContaining(`drydock runs apply ${result.runId} --allow-autorun`),
        autorun: [{ path: ".rvmrc", reason: "rvm runs it when you enter the directory" }],
      },
    });
    expect(existsSync(join(t.workspace, "a.txt"))).toBe(false);
    expect(await t.dock.goals.resume(result.runId)).toMatchObject({ delivery: "kept" });
    expect(await t.dock.runs.apply(result.runId, { allowAutorun: true })).toMatchObject({
      outcome: "applied",
      notes: [],
    });
    expect(readFileSync(join(t.workspace, ".rvmrc"), "utf8")).toBe("touch x");
  });

  it.each([true, false])(
    "is delivered after a question only if the answer about these files is yes: %s",
    async (yes) => {
      const t = await openGoalDock({ "b.txt": "b" });
      const requests: (readonly AutorunFile[] | undefined)[] = [];
      const confirm = async (_runId: string, autorun?: readonly AutorunFile[]) => {
        requests.push(autorun);
        return autorun === undefined || yes;
      };
      const result = await t.run([{ writes: WRITES }], { plan, apply: "ask", confirm });
      expect(requests).toMatchObject([undefined, [{ path: ".rvmrc" }]]);
      expect(result).toMatchObject({ verdict: "passed", delivery: yes ? "applied" : "kept" });
      expect(existsSync(join(t.workspace, ".rvmrc"))).toBe(yes);
    },
  );

  it("is kept without a question where none was wanted", async () => {
    const t = await openGoalDock({ "b.txt": "b" });
    const confirm = async () => {
      throw new Error("nobody is to be asked");
    };
    const result = await t.run([{ writes: WRITES }], { plan, apply: "auto", confirm });
    expect(result).toMatchObject({ delivery: "kept", error: { code: "policy.approval_denied" } });
  });
});

it("a goal that passed its checks is not delivered with a trap in it", async () => {
  const t = await openGoalDock({ "b.txt": "b" });
  const writes = ["HEAD", "config", "objects/x", "refs/x"].map((name) => ({ path: `docs/${name}`, content: "x" }));
  const result = await t.run([{ writes: [...writes, WRITES[0]] }], { plan });
  expect(result).toMatchObject({ verdict: "passed", delivery: "kept", error: { code: "policy.path_denied" } });
  expect(existsSync(join(t.workspace, "docs"))).toBe(false);
});
