import { join } from "node:path";
import { agent, agents } from "drydock";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { alterContent, alterEvent } from "../testing/alter-record.ts";
import { code, openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();
const home = join(tasks.directory, "home");
const replay = (id: string, options = {}) => tasks.dock.runs.replay(id, options);
const DATA = { name: "in/data.csv", content: "a,b\n1,10\n2,20\n" };
const step = (text: string) => ({ toolCalls: [{ name: "session_exec", arguments: { code: text } }] });

let count = 0;
/** Contents of the store are shared by all runs that have the same: those of a test are its own. */
const unique = () => `# ${++count}\n`;

async function runTask(options = {}) {
  const read = `${unique()}text = open('in/data.csv').read()\nprint(text)\nresult = len(text)`;
  const model = tasks.script([code("1 / 0"), code(read)]);
  return tasks.dock.executePythonTask("Count characters", { model, attachments: [DATA], ...options });
}

describe("a replay of a task", () => {
  it("comes out the same, without its model", async () => {
    const { runId, result } = await runTask();
    expect(result).toBe(14);
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(again).toMatchObject({ ok: true, replayOf: runId });
    expect(await replay(again.runId ?? "")).toMatchObject({ ok: true });
    expect((await tasks.dock.runs.events(again.runId ?? ""))[0]?.data).toMatchObject({ replayOf: runId });
  });

  it("with checks, variables, and in a session that went on since", async () => {
    const checks = [{ type: "file_exists", path: "out.txt" } as const];
    const made = tasks.script([code("open('out.txt', 'w').write(name)\nresult = 1")]);
    const context = { variables: { name: "drydock" } };
    const checked = await tasks.dock.executePythonTask("Write", { model: made, checks, context });
    expect(checked.verdict).toBe("passed");
    expect(await replay(checked.runId)).toMatchObject({ ok: true, verdict: "passed" });
    const session = await tasks.dock.sessions.open();
    await session.exec("x = 20");
    const model = tasks.script([code("x += 1\nresult = x")]);
    const { runId, result } = await tasks.dock.executePythonTask("Add", { model, session: session.id });
    await session.exec("x = 0");
    await session.close();
    expect(result).toBe(21);
    expect((await replay(runId)).divergences).toEqual([]);
  });

  it("names an altered answer, attachment and event first", async () => {
    const { runId } = await runTask();
    const events = await tasks.dock.runs.events(runId);
    const answered = events.findLast(({ type }) => type === "model.answered");
    alterContent(home, answered?.data.answer);
    expect((await replay(runId)).divergences[0]).toMatchObject({ what: "the recorded answer", cause: "record" });
    const other = await runTask({ attachments: [{ name: "in/data.csv", content: "a,b\n3,10\n2,20\n" }] });
    const [created] = await tasks.dock.runs.events(other.runId);
    const [attached] = Object(created?.data.request).attachments;
    alterContent(home, attached?.sha256);
    expect((await replay(other.runId)).divergences[0]).toMatchObject({
      what: "the recorded attachment",
      cause: "record",
    });
    const third = await runTask({ attachments: [{ name: "in/data.csv", content: "a,b\n4,10\n2,20\n" }] });
    alterEvent(home, third.runId, "code.executed", '"ok":false', '"ok":true');
    const { divergences } = await replay(third.runId);
    expect(divergences[0]).toMatchObject({ step: "task/attempt/1", cause: "record" });
    expect(divergences.slice(1).every(({ follows }) => follows)).toBe(true);
  });

  it("is refused where an attachment held a secret", async () => {
    const content = `token: ghp_${"aB3dE6gH9jK2".repeat(3)}\n`;
    const { runId } = await runTask({ attachments: [{ name: "in/data.csv", content }] });
    await expect(replay(runId)).rejects.toMatchObject({ code: "input.invalid", message: /in\/data\.csv/ });
  });
});

describe("a replay of a workflow", () => {
  const WORDS = ["one", "two"];
  const ANSWERS = [
    code("x = 1\nprint(x)", { contains: "# Instruction\n\none" }),
    code("result = x + 1", { contains: "# Instruction\n\ntwo" }),
  ];

  it("comes out the same, also where it was resumed", async () => {
    const first = await tasks.dock.executePythonWorkflow(WORDS, { model: tasks.script(ANSWERS) });
    expect((await replay(first.runId)).divergences).toEqual([]);
    const resumeFrom = { runId: first.runId, step: 2 };
    const model = tasks.script([code("result = x + 2")]);
    const { runId } = await tasks.dock.executePythonWorkflow([], { model, resumeFrom });
    await tasks.dock.blocks.edit(first.runId, "step-1", "x = 100");
    expect((await replay(runId)).divergences).toEqual([]);
  });

  it("names an altered event first", async () => {
    const { runId } = await tasks.dock.executePythonWorkflow(WORDS, { model: tasks.script(ANSWERS) });
    alterEvent(home, runId, "step.finished", '"status":"done"', '"status":"skip"');
    expect((await replay(runId)).divergences[0]).toMatchObject({ step: "step/1", cause: "record" });
  });
});

describe("a replay of words", () => {
  const listSteps = () => [
    step(`${unique()}rows = open('in/data.csv').read().splitlines()\nprint(len(rows))`),
    { toolCalls: [{ name: "execute_code", arguments: { language: "python", code: "print(6 * 7)" } }] },
    step("print(rows[0])"),
    { text: "Three rows." },
  ];

  it("executes all that ran in sandboxes again, in order", async () => {
    const { runId } = await tasks.dock.ask("how many rows?", { model: tasks.script(listSteps()), attachments: [DATA] });
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(again).toMatchObject({ ok: true, steps: 3, notes: ["4 answers of the model were taken from the record"] });
    expect(await tasks.dock.runs.get(again.runId ?? "")).toMatchObject({ kind: "agent", title: `Replay of ${runId}` });
    expect(await replay(again.runId ?? "")).toMatchObject({ ok: true, steps: 3 });
  });

  it("executes the code of a task within the conversation", async () => {
    const answers = [
      code("x = 41\nprint(x)", { step: "code" }),
      ...[
        { toolCalls: [{ name: "execute_python_task", arguments: { instruction: "Make x" } }] },
        step("print(x + 1)"),
        { text: "Done." },
      ].map((answer) => ({ when: { step: "chat" }, ...answer })),
    ];
    const { runId } = await tasks.dock.ask("make x", { model: tasks.script(answers) });
    expect(await replay(runId)).toMatchObject({ ok: true, steps: 2 });
    const inner = (await tasks.dock.runs.list({ limit: 20, kind: "task" })).runs[0];
    expect(await replay(inner?.id ?? "")).toMatchObject({ ok: true, steps: 1 });
  });

  it("names an altered part and an altered answer", async () => {
    const { runId } = await tasks.dock.ask("rows", { model: tasks.script(listSteps()), attachments: [DATA] });
    const finished = (await tasks.dock.runs.events(runId)).filter(({ type }) => type === "tool.finished");
    const part = String(finished[1]?.data.callRunId);
    alterEvent(home, part, "output.recorded", "42", "43");
    const { divergences } = await replay(runId);
    expect(divergences[0]).toMatchObject({ step: `${part} output.recorded`, cause: "record" });
    expect(divergences[1]).toMatchObject({ step: `${part} run`, what: "stdout", follows: true });
    alterContent(home, finished[0]?.data.result);
    const both = (await replay(runId)).divergences.filter(({ cause }) => cause === "record");
    expect(both.map(({ what }) => what)).toContain("the recorded result of a tool");
  });
});

describe("a replay of an agent", () => {
  it("takes what functions of the program gave from the record, and says so", async () => {
    let calls = 0;
    const counts = agent({
      name: "counts",
      description: "Counts.",
      input: z.object({ text: z.string() }),
      output: z.object({ sum: z.number() }),
      prompt: "{{ text }}",
      tools: [
        {
          name: "host_time",
          description: "Says a number.",
          input: z.object({}),
          run: async () => `${++calls}`,
        },
      ],
      execute: { language: "python" },
    });
    agents.use(tasks.dock);
    const model = tasks.script([
      { toolCalls: [{ name: "host_time", arguments: {} }] },
      code("result = {'sum': 40 + 2}"),
    ]);
    let runId = "";
    const onEvent = (event: { runId: string }) => {
      runId = event.runId;
    };
    expect(await counts("go", { model, onEvent })).toMatchObject({ success: true });
    agents.use(null);
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(calls).toBe(1);
    expect(again).toMatchObject({ ok: true, steps: 1 });
    expect(again.notes).toContain("1 result of tools that are functions of the program was taken from the record");
  });

  it("that executed nothing has its record checked", async () => {
    const { runId } = await tasks.dock.ask("say hello", { model: tasks.script([{ text: `Hello. ${unique()}` }]) });
    const again = await replay(runId);
    expect(again).toMatchObject({ ok: true, steps: 0 });
    expect(again.notes[0]).toContain("executed nothing");
    const answered = (await tasks.dock.runs.events(runId)).find(({ type }) => type === "model.answered");
    alterContent(home, answered?.data.answer);
    expect((await replay(runId)).divergences[0]).toMatchObject({ what: "the recorded answer" });
  });
});
