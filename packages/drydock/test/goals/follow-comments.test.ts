import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

const FILES = {
  "add.py": "def add(a, b):\n    return a - b\n",
  "test_add.py": "from add import add\n\nassert add(2, 3) == 5\n",
};
const FIXED = "def add(a, b):\n    return a + b\n";
const CHECK = { type: "command", cmd: "python test_add.py" };
const PLAN = { goal: "Mend add", tasks: [{ id: "fix", scope: ["**"], checks: [CHECK], attempts: 1 }] };
const write = (content: string) => ({ when: { step: "work" }, writes: [{ path: "add.py", content }] });

async function readPrompt(t: GoalDock, runId: string, step: string): Promise<string> {
  const request = (await t.dock.runs.events(runId)).find(
    ({ type, data }) => type === "model.asked" && data.step === step,
  );
  return Buffer.from(await t.dock.runs.readArtifact(String(request?.data.prompt))).toString();
}

describe("comments on the change of a followed run", () => {
  it("reach the next attempt word for word, with file and line, and stay on record", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write(FIXED)], { plan: PLAN, apply: "never" });
    const comments = [
      { path: "add.py", line: 2, text: "Use sum((a, b)), as elsewhere.\nAnd *no* `lambda`." },
      { path: "add.py", line: 2, side: "before", text: "Say why this was wrong." },
      { path: "add.py", text: "Add a docstring." },
    ] as const;
    const better = 'def add(a, b):\n    """Adds."""\n    return sum((a, b))\n';
    const answers = [{ when: { step: "plan" }, json: PLAN }, write(better)];
    const second = await t.run(answers, { follow: first.runId, comments });
    expect(second).toMatchObject({ verdict: "passed", delivery: "applied" });
    for (const step of ["plan", "work"]) {
      expect(await readPrompt(t, second.runId, step)).toContain(
        "- add.py, line 2: Use sum((a, b)), as elsewhere.\nAnd *no* `lambda`.\n- add.py, line 2 of the file before the change: Say why this was wrong.\n- add.py: Add a docstring.",
      );
    }
    const [created] = await t.dock.runs.events(second.runId);
    expect(created?.data.request).toMatchObject({ follow: { run: first.runId, comments } });
    const kept = readFileSync(join(t.home, "runs", second.runId, "rework_request.json"), "utf8");
    expect(JSON.parse(kept)).toEqual({ run: first.runId, comments });
  });

  it("are refused where nobody could heed them, or where they are about no run", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write(FIXED)], { plan: PLAN, apply: "never" });
    const comments = [{ path: "add.py", line: 1, text: "x" }];
    const refused = (options: object) =>
      expect(t.run([], options)).rejects.toMatchObject({ code: "input.invalid", hint: expect.any(String) });
    await refused({ goal: "x", comments });
    await refused({ follow: first.runId, comments: [{ path: "add.py", line: 0, text: "" }] });
    await refused({ follow: first.runId, comments, byModel: true });
    await refused({ follow: first.runId, comments, model: "repair" });
  });
});
