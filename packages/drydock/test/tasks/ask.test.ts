import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { sandboxTools, type TaskProgress } from "../../src/tasks/index.ts";
import { openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();

const step = (code: string) => ({ toolCalls: [{ name: "session_exec", arguments: { code } }] });
const DATA = { name: "data.csv", content: "x,y\n1,10\n2,20\n3,60\n" };
const CHART = [
  step("import pandas as pd\ndf = pd.read_csv('data.csv')\nprint(list(df.columns))"),
  { when: { contains: "['x', 'y']" }, ...step("means = df.mean()\nprint(means.to_dict())") },
  { when: { contains: "30.0" }, ...step("import matplotlib.pyplot as plt\nax = means.plot.bar()") },
  { when: { contains: "image/png" }, ...step("means.to_csv('means.csv')") },
  { when: { contains: "means.csv" }, text: "x: 2, y: 30. The chart is above." },
];

describe("words that are answered with code", () => {
  it("average every column of data.csv and draw a chart, in four steps that share variables", async () => {
    const model = tasks.script(CHART);
    const seen: string[] = [];
    const result = await tasks.dock.ask("average every column of data.csv and draw a chart", {
      ...{ model, attachments: [DATA] },
      onProgress: ({ kind }) => seen.push(kind),
    });
    expect(result).toMatchObject({ ok: true, text: "x: 2, y: 30. The chart is above.", error: null, sessionId: null });
    expect(result.toolCalls.map(({ name, failed }) => [name, failed])).toEqual(Array(4).fill(["session_exec", false]));
    expect(result.artifacts.map(({ mime }) => mime)).toEqual(expect.arrayContaining(["image/png", "text/csv"]));
    expect(seen).toEqual(expect.arrayContaining(["code", "output", "executed", "tool", "text"]));
    const events = await tasks.dock.runs.events(result.runId);
    expect(events.filter(({ type }) => type === "tool.finished")).toHaveLength(4);
    expect(tasks.dock.sessions.list()).toEqual([]);
  });

  it("answers without code, and opens no session for it", async () => {
    const model = tasks.script([{ text: "Hello." }]);
    const before = (await tasks.dock.sessions.totals()).opened;
    expect(await tasks.dock.ask("say hello", { model })).toMatchObject({ ok: true, text: "Hello.", toolCalls: [] });
    expect((await tasks.dock.sessions.totals()).opened).toBe(before);
  });

  it("goes on in the session that it is given, and leaves its variables there", async () => {
    const session = await tasks.dock.sessions.open();
    await session.exec("x = 20");
    const model = tasks.script([step("y = x + 1"), { text: "Done." }]);
    expect(await tasks.dock.ask("add one", { model, session: session.id })).toMatchObject({ sessionId: session.id });
    expect((await session.exec("x + y")).result).toBe(41);
    await session.close();
  });

  it("tells the model what failed, with the hint, and lets it go on", async () => {
    const model = tasks.script([
      step("left = 1\n1 / 0"),
      { when: { contains: "ZeroDivisionError" }, ...step("print('left' in dir())") },
      { when: { contains: "False" }, text: "Nothing is left." },
    ]);
    const result = await tasks.dock.ask("divide", { model });
    expect(result.text).toBe("Nothing is left.");
    expect(result.toolCalls.map(({ failed }) => failed)).toEqual([true, false]);
  });

  it("holds to the policy of the call in each step", async () => {
    const model = tasks.script([step("import os"), { when: { contains: "policy.import_denied" }, text: "Refused." }]);
    const result = await tasks.dock.ask("look around", { model, policy: { python: { guard: "strict" } } });
    expect(result.text).toBe("Refused.");
  });

  it("has a task, a workflow, a rollback and a single run for tools as well", async () => {
    const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
    const block = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
    const model = tasks.script([
      call("execute_python_task", { instruction: "set a to 1" }),
      { when: { step: "code", contains: "set a to 1" }, text: block("a = 1") },
      { when: { contains: "a: int" }, ...call("execute_python_workflow", { instructions: ["double a", "print a"] }) },
      { when: { step: "code", contains: "double a" }, text: block("a = a * 2") },
      { when: { step: "code", contains: "print a" }, text: block("print('a is', a)") },
      { when: { contains: "a is 2" }, ...call("session_rollback", { to: 1 }) },
      { when: { contains: "after step 1" }, ...call("execute_code", { language: "bash", code: "echo from bash" }) },
      { when: { contains: "from bash" }, ...step("print('now', a)") },
      { when: { contains: "now 1" }, text: "All five." },
    ]);
    const result = await tasks.dock.ask("use everything", { model });
    expect(result).toMatchObject({ ok: true, text: "All five." });
    expect(result.toolCalls.map(({ failed }) => failed)).toEqual([false, false, false, false, false]);
  });

  it("holds a single run to the policy of the workspace, and to the session that was named", async () => {
    const workspace = join(tasks.directory, "strict");
    mkdirSync(join(workspace, ".drydock"), { recursive: true });
    writeFileSync(join(workspace, ".drydock", "policy.yaml"), "version: 1\npython:\n  guard: strict\n");
    const once = { toolCalls: [{ name: "execute_code", arguments: { language: "python", code: "import os" } }] };
    const answers = [once, { when: { contains: "policy.import_denied" }, text: "Refused." }];
    expect((await tasks.dock.ask("look", { model: tasks.script(answers), workspace })).text).toBe("Refused.");
    const session = await tasks.dock.sessions.open();
    const inSession = [once, { when: { contains: "session_exec" }, text: "Not here." }];
    const request = await tasks.dock.ask("look", { model: tasks.script(inSession), session: session.id });
    expect(request).toMatchObject({ text: "Not here.", toolCalls: [{ failed: true }] });
    await session.close();
  });

  it("returns to no step that was there before the conversation", async () => {
    const session = await tasks.dock.sessions.open();
    await session.exec("x = 1");
    const back = { toolCalls: [{ name: "session_rollback", arguments: { to: 0 } }] };
    const model = tasks.script([back, { when: { contains: "were there before" }, text: "They stay." }]);
    expect((await tasks.dock.ask("undo all", { model, session: session.id })).text).toBe("They stay.");
    expect((await session.exec("x")).result).toBe(1);
    await session.close();
  });

  it("keeps the words of the model that writes code out of the answer", async () => {
    const task = { toolCalls: [{ name: "execute_python_task", arguments: { instruction: "set a" } }] };
    const code = { when: { step: "code" }, text: "```python\na = 1\n```" };
    const model = tasks.script([task, code, { when: { step: "chat" }, text: "Set." }]);
    let words = "";
    const onProgress = (event: TaskProgress) => {
      if (event.kind === "text") words += event.text;
    };
    expect((await tasks.dock.ask("set a", { model, onProgress })).text).toBe("Set.");
    expect(words).toBe("Set.");
  });

  it("ends with a failure where the model never ends its calls", async () => {
    const model = tasks.script([{ ...step("1"), repeat: "always" }]);
    const result = await tasks.dock.ask("loop", { model, maxTurns: 3 });
    expect(result).toMatchObject({ ok: false, text: "", error: { code: "model.failed" } });
    expect(result.toolCalls).toHaveLength(3);
    await expect(tasks.dock.ask("loop", { model, maxTurns: 0 })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it.each([".env", "keys/id_rsa", ".drydock/policy.yaml"])(
    "refuses an attachment that code would not see: %s",
    async (name) => {
      const asked = tasks.dock.ask("1", { attachments: [{ name, content: "x" }] });
      await expect(asked).rejects.toMatchObject({ code: "policy.path_denied", message: expect.stringContaining(name) });
    },
  );

  it("refuses words that are none", async () => {
    await expect(tasks.dock.ask("  ")).rejects.toMatchObject({ code: "input.invalid" });
  });
});

describe("without a model", () => {
  it("says what is needed", async () => {
    const result = await tasks.dock.ask("average every column of data.csv");
    expect(result).toMatchObject({ ok: false, error: { code: "model.unavailable" } });
    expect(result.error?.hint).toContain("drydock model add");
  });

  it("runs what is code already", async () => {
    const result = await tasks.dock.ask("print(6 * 7)");
    expect(result).toMatchObject({ ok: true, text: "", toolCalls: [{ name: "session_exec", failed: false }] });
    expect(result.toolCalls[0]?.text).toContain("42");
    expect(await tasks.dock.ask("sum(range(10))")).toMatchObject({ ok: true, text: "45" });
    expect(await tasks.dock.ask("2 ** 100")).toMatchObject({ ok: true, text: "1267650600228229401496703205376" });
    expect(await tasks.dock.ask("print(1 / 0)")).toMatchObject({ ok: false, error: { code: "code.exception" } });
  });
});

describe("the tools of the sandbox in an agent", () => {
  it("share one session in a call, which is closed with it", async () => {
    const definition = {
      name: "analyst",
      description: "Looks at numbers.",
      input: z.object({ question: z.string() }),
      prompt: "{{ question }}",
      tools: [sandboxTools()],
    };
    const model = tasks.script([step("a = 40"), step("a + 2"), { when: { contains: "42" }, text: "It is 42." }]);
    const result = await tasks.dock.callAgent(definition, { question: "what is it?" }, { model });
    expect(result.output).toBe("It is 42.");
    expect(result.toolCalls).toHaveLength(2);
    expect(tasks.dock.sessions.list()).toEqual([]);
  });
});
