import { chmod } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import type { RunEvent } from "@drydock/protocol";
import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { widthOf } from "../terminal/text-width.ts";
import { countChanges } from "./goal/count-changes.ts";
import { followGoal } from "./goal/goal-state.ts";
import { renderTree } from "./goal/render-tree.ts";
import { BROKEN, FIXED, FIXES, PLANS, readTree, TASK, useGoalPlace } from "./testing/goal-workspace.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const place = useGoalPlace();
const SIZE = { rows: 20, columns: 70 };
const HIDDEN = "\u001b[?25l";
const SHOWN = "\u001b[?25h";

describe("a goal on a terminal", () => {
  it("is drawn in its place, within the terminal, and gives the cursor back", async () => {
    const workspace = await place.workspace();
    const work = await place.work(workspace, [PLANS, FIXES]);
    const { status, screen } = await runInTerminal(home(), ["run", "--goal", "Make add() add", ...work], SIZE);
    expect(status).toBe(0);
    expect(screen).toContain(HIDDEN);
    expect(screen.lastIndexOf(SHOWN)).toBeGreaterThan(screen.lastIndexOf(HIDDEN));
    expect(screen).toContain("\r\u001b[");
    expect(screen).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    const lines = stripVTControlCharacters(screen).split(/\r?\n/);
    expect(lines.filter((line) => line.startsWith("└─")).every((line) => line.length < SIZE.columns)).toBe(true);
    expect(lines).toContainEqual(expect.stringMatching(/^└─ ✓ fix Correct add {2}\d+ s$/));
    expect(lines).toContainEqual(" PASSED  Make add() add");
    expect(await readTree(workspace)).toEqual({ "calc.py": FIXED });
  });

  it("gives the cursor back at Ctrl-C, and says that it was cancelled", async () => {
    const workspace = await place.workspace();
    const checks = [{ type: "command", cmd: "python3 -c 'import time; time.sleep(60)'" }];
    const plan = { when: { step: "plan" }, json: { goal: "x", tasks: [{ ...TASK, checks }] } };
    const work = await place.work(workspace, [plan, FIXES]);
    const keys = [{ after: "checking", type: "\u0003" }];
    const { status, screen } = await runInTerminal(home(), ["run", "--goal", "Wait", ...work], { ...SIZE, keys });
    expect(status).toBe(130);
    expect(screen.lastIndexOf(SHOWN)).toBeGreaterThan(screen.lastIndexOf(HIDDEN));
    expect(stripVTControlCharacters(screen)).toMatch(/stopped in attempt 1[\s\S]*✗ run\.cancelled/);
  });

  it("asks before it delivers, and keeps the changes at no", async () => {
    const workspace = await place.workspace();
    const work = await place.work(workspace, [PLANS, FIXES]);
    const keys = [
      { after: "Deliver them", type: "\u001b[B" },
      { after: "drydock runs apply", type: "\r" },
    ];
    const argv = ["run", "--goal", "x", "--apply", "ask", ...work];
    const { status, screen } = await runInTerminal(home(), argv, { ...SIZE, keys });
    expect(status).toBe(0);
    expect(stripVTControlCharacters(screen)).toMatch(/Changes:\r?\n +\+1 +-1 +calc\.py/);
    expect(await readTree(workspace)).toEqual({ "calc.py": BROKEN });
  });

  it("asks again where files run by themselves, and keeps the changes at no", async () => {
    const workspace = await place.workspace();
    const writes = [...FIXES.writes, { path: ".rvmrc", content: "x" }];
    const plan = { when: { step: "plan" }, json: { goal: "x", tasks: [{ ...TASK, scope: ["calc.py", ".rvmrc"] }] } };
    const work = await place.work(workspace, [plan, { ...FIXES, writes }]);
    const keys = [
      { after: "Deliver them to", type: "\r" },
      { after: "Deliver them anyway?", type: "\r" },
    ];
    const argv = ["run", "--goal", "x", "--apply", "ask", ...work];
    const { status, screen } = await runInTerminal(home(), argv, { rows: 40, columns: 140, keys });
    expect(status).toBe(3);
    const text = stripVTControlCharacters(screen);
    expect(text).toMatch(/Other programs execute these files automatically:\r?\n {2}\.rvmrc \(rvm runs it/);
    expect(text).toMatch(/drydock runs apply run_\w+ --allow-autorun/);
    expect(text).not.toMatch(/deliver: +drydock runs apply/);
    expect(await readTree(workspace)).toEqual({ "calc.py": BROKEN });
  });

  it("shows the plan for review, takes it back from the editor, and carries out what was edited", async () => {
    const workspace = await place.workspace();
    const editor = await place.write("editor.sh", '#!/bin/sh\nsed -i "s/Correct add/Edited by hand/" "$1"\n');
    await chmod(editor, 0o755);
    const keys = [
      { after: "Carry out this plan?", type: "\u001b[B" },
      { after: "in your editor", type: "\r" },
      { after: "Carry out this plan?", type: "" },
      { after: "Carry out this plan?", type: "\r" },
    ];
    const work = await place.work(workspace, [PLANS, FIXES]);
    const argv = ["run", "--goal", "x", "--review", ...work];
    const { status, screen } = await runInTerminal(home(), argv, { ...SIZE, keys, editor });
    const text = stripVTControlCharacters(screen);
    expect(text).toMatch(/check command python3 -c .* "add adds"/);
    expect(text).toMatch(/✓ fix Edited by hand/);
    expect(status).toBe(0);
  });
});

describe("the tree of a plan", () => {
  const event = (type: RunEvent["type"], data: Record<string, unknown>, seq = 0): RunEvent => ({
    runId: "run_1",
    seq,
    type,
    at: "2026-01-01T00:00:00.000Z",
    data,
    prevHash: "",
    hash: "",
  });

  it("has never more or longer lines than there is room for, however many tasks there are", async () => {
    const follower = await followGoal();
    const tasks = Array.from({ length: 200 }, (_, index) => ({
      ...TASK,
      id: `t${index}`,
      title: "一个很长的标题 ".repeat(5),
      dependsOn: [],
      instructions: "",
    }));
    follower.take(
      event("run.created", { request: { goal: "A long goal ".repeat(20), model: ["scripted:/x/a.yaml"] } }),
    );
    follower.take(event("plan.accepted", { key: "plan", plan: { goal: "g", tasks }, source: "given", review: "none" }));
    for (let index = 0; index < 60; index++) {
      follower.take(event("task.started", { task: `t${index}` }));
      follower.take(event("attempt.started", { task: `t${index}`, attempt: 1 }));
      if (index < 50) follower.take(event("task.done", { task: `t${index}`, attempts: 1 }));
    }
    for (const rows of [5, 12, 40, 500]) {
      for (const columns of [20, 79, 200]) {
        const look = { colors: pico.createColors(false), nowMs: Date.parse("2026-01-01T00:01:00Z"), frame: 1 };
        const lines = renderTree(follower.state, { ...look, rows, columns });
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
        if (rows === 12) expect(lines.at(-1)).toContain("50 done, 140");
      }
    }
  });
});

describe("counting changes", () => {
  it("counts lines by file, also where a line looks like a header", () => {
    const diff = [
      "# mode 0644 -> 0600: a b",
      "diff --git a/a b b/a b",
      "--- a/a b",
      "+++ b/a b",
      "@@ -1,2 +1,2 @@",
      "--- gone",
      "+++ came",
      "+more",
      "diff --git a/new b/new",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/new",
      "@@ -0,0 +1 @@",
      "+x",
      'diff --git "a/\\303\\244" "b/\\303\\244"',
      "deleted file mode 100644",
      "Binary files differ",
      "",
    ].join("\n");
    expect(countChanges(diff)).toEqual([
      { path: "a b", kind: "changed", added: 2, removed: 1, isBinary: false },
      { path: "new", kind: "added", added: 1, removed: 0, isBinary: false },
      { path: "\\303\\244", kind: "deleted", added: 0, removed: 0, isBinary: true },
    ]);
  });
});
