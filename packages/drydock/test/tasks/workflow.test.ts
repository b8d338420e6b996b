import { describe, expect, it } from "vitest";
import { code, openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();
const DATA = "a,b\n1,10\n2,20\n3,60\n";
const INSTRUCTIONS = ["Read data.csv", "Average every column", "Draw a bar chart"];
const ANSWERS = [
  code("import pandas as pd\ndf = pd.read_csv('data.csv')\nresult = len(df)", { contains: "# Instruction\n\nRead" }),
  code("means = df.mean()\nresult = means.to_dict()", { contains: "# Instruction\n\nAverage" }),
  code("import matplotlib.pyplot as plt\nmeans.plot.bar()\nresult = None", { contains: "# Instruction\n\nDraw" }),
];

describe("a workflow", () => {
  it("reads a table, averages its columns and draws a picture of them", async () => {
    const attachments = [{ name: "data.csv", content: DATA }];
    const result = await tasks.dock.executePythonWorkflow(INSTRUCTIONS, { model: tasks.script(ANSWERS), attachments });
    expect(result).toMatchObject({ ok: true, failedStep: null, error: null });
    expect(result.steps.map(({ step, status, result: value }) => [step, status, value])).toEqual([
      [1, "done", 3],
      [2, "done", { a: 2, b: 30 }],
      [3, "done", null],
    ]);
    expect(result.steps[1]?.variables).toMatchObject({ df: "DataFrame", means: "Series" });
    const [picture] = result.artifacts;
    expect(picture).toMatchObject({ mime: "image/png" });
    const bytes = await tasks.dock.runs.readArtifact(String(picture?.id));
    expect(Buffer.from(bytes.subarray(1, 4)).toString()).toBe("PNG");
    const types = (await tasks.dock.runs.events(result.runId)).map(({ type }) => type);
    expect(types.filter((type) => type === "step.finished")).toHaveLength(3);
    expect(await tasks.dock.runs.get(result.runId)).toMatchObject({ kind: "workflow", status: "succeeded" });
  });

  const FAILING = [
    code("x = 1", { contains: "# Instruction\n\none" }),
    {
      ...code("x = 2\nopen('left.txt', 'w').write('x')\n1 / 0", { contains: "# Instruction\n\ntwo" }),
      repeat: "always",
    },
    code("from pathlib import Path\nresult = [x, Path('left.txt').exists()]", { contains: "# Instruction\n\nthree" }),
  ];

  it("stops at a step that fails", async () => {
    const model = tasks.script(FAILING);
    const result = await tasks.dock.executePythonWorkflow(["one", "two", "three"], { model, attempts: 2 });
    expect(result).toMatchObject({ ok: false, failedStep: 2, error: { code: "code.exception" } });
    expect(result.steps.map(({ status }) => status)).toEqual(["done", "failed", "skipped"]);
  });

  it("goes on where it is told to, on what the failed step found", async () => {
    const options = { model: tasks.script(FAILING), attempts: 1, stopOnError: false };
    const result = await tasks.dock.executePythonWorkflow(["one", "two", "three"], options);
    expect(result.steps.map(({ status }) => status)).toEqual(["done", "failed", "done"]);
    expect(result.steps[2]?.result).toEqual([1, false]);
    expect(result).toMatchObject({ ok: false, failedStep: 2 });
  });

  it("is resumed from a step: what was done before is executed again from the record", async () => {
    const first = await tasks.dock.executePythonWorkflow(["one", "two", "three"], {
      model: tasks.script(FAILING),
      attempts: 1,
    });
    const model = tasks.script([
      code("x += 10", { contains: "# Instruction\n\ntwo" }),
      code("result = x", { contains: "# Instruction\n\nthree" }),
    ]);
    const resumed = await tasks.dock.executePythonWorkflow([], { model, resumeFrom: { runId: first.runId, step: 2 } });
    expect(resumed.steps.map(({ status }) => status)).toEqual(["restored", "done", "done"]);
    expect(resumed).toMatchObject({ ok: true, usage: { calls: 2 } });
    expect(resumed.steps[2]?.result).toBe(11);
    const late = tasks.dock.executePythonWorkflow([], { model, resumeFrom: { runId: first.runId, step: 3 } });
    await expect(late).rejects.toMatchObject({ code: "input.invalid", message: expect.stringContaining("Step 2") });
  });

  it("says of a model that can't be asked which step it failed", async () => {
    const model = tasks.script([code("x = 1", { contains: "# Instruction\n\none" })]);
    const result = await tasks.dock.executePythonWorkflow(["one", "two"], { model });
    expect(result.steps.map(({ status }) => status)).toEqual(["done", "failed"]);
    expect(result).toMatchObject({ failedStep: 2, error: { code: "model.failed" } });
  });

  it("is judged at its end", async () => {
    const model = tasks.script([
      code("open('a.txt', 'w').write('1')", { contains: "# Instruction\n\none" }),
      code("open('b.txt', 'w').write('2')", { contains: "# Instruction\n\ntwo" }),
    ]);
    const checks = ["a.txt", "b.txt"].map((path) => ({ type: "file_exists" as const, path }));
    expect(await tasks.dock.executePythonWorkflow(["one", "two"], { model, checks })).toMatchObject({
      ok: true,
      verdict: "passed",
    });
  });
});

describe("code blocks", () => {
  it("have names and versions, and are edited and run again", async () => {
    const model = tasks.script([
      { text: "```python answer\nresult = 1 / 0\n```" },
      { text: "```python answer\nresult = 6 * 7\n```" },
    ]);
    const { runId } = await tasks.dock.executePythonTask("Answer", { model });
    const { blocks } = tasks.dock;
    expect((await blocks.list(runId)).map(({ name, version, ok, author }) => [name, version, ok, author])).toEqual([
      ["answer", 1, false, "model"],
      ["answer", 2, true, "model"],
    ]);
    expect(await blocks.edit(runId, "answer", "result = 43")).toMatchObject({ version: 3, author: "person", ok: null });
    expect(await blocks.run(runId, "answer")).toMatchObject({ ok: true, result: 43 });
    expect(await blocks.run(runId, "answer", { version: 2 })).toMatchObject({ ok: true, result: 42 });
    await expect(blocks.run(runId, "other")).rejects.toMatchObject({
      code: "input.invalid",
      hint: "Its blocks are: answer.",
    });
    expect((await tasks.dock.audit.verify()).ok).toBe(true);
  });

  it("that were edited count in that version when a workflow is resumed", async () => {
    const model = tasks.script([
      code("x = 1", { contains: "# Instruction\n\none" }),
      { ...code("1 / 0", { contains: "# Instruction\n\ntwo" }), repeat: "always" },
    ]);
    const first = await tasks.dock.executePythonWorkflow(["one", "two"], { model, attempts: 1 });
    await tasks.dock.blocks.edit(first.runId, "step-1", "x = 5");
    const again = tasks.script([code("result = x")]);
    const resumed = await tasks.dock.executePythonWorkflow([], {
      model: again,
      resumeFrom: { runId: first.runId, step: 2 },
    });
    expect(resumed.steps[1]?.result).toBe(5);
  });
});
