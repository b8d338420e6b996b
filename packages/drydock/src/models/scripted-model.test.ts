import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  countScriptedUses,
  createBudget,
  createModel,
  createReplayModel,
  type Model,
  type ModelRequest,
} from "./index.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "script-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function script(text: string, used?: ReadonlyMap<number, number>): Promise<Model> {
  const file = join(directory, "answers, all.yaml");
  await writeFile(file, text);
  return createModel(`scripted:${file}`, { used });
}

function ask(model: Model, request: Partial<ModelRequest> = {}) {
  return model.ask({
    step: "work",
    system: "You fix bugs.",
    messages: [{ role: "user", text: "Fix add()" }],
    ...request,
  });
}

describe("which answer is taken", () => {
  const text = `
answers:
  - { when: { step: plan }, text: a plan }
  - { when: { task: t2 }, text: for t2 }
  - { when: { contains: subtract }, text: for subtract }
  - { text: twice, repeat: 2 }
  - { text: always, repeat: always }
`;
  test("the first that fits and is not used up", async () => {
    const model = await script(text);
    expect(model).toMatchObject({ id: "scripted", scripted: true });
    const answers = [
      await ask(model, { task: "t1" }),
      await ask(model, { step: "plan" }),
      await ask(model, { task: "t2" }),
      await ask(model, { messages: [{ role: "user", text: "Fix subtract()" }] }),
      await ask(model, { step: "plan" }),
      await ask(model, { system: "You subtract." }),
      await ask(model),
    ];
    expect(answers.map(({ text, scripted }) => [text, scripted])).toEqual([
      ["twice", 3],
      ["a plan", 0],
      ["for t2", 1],
      ["for subtract", 2],
      ["twice", 3],
      ["always", 4],
      ["always", 4],
    ]);
    expect(answers[0]).toMatchObject({ model: "scripted", toolCalls: [], finish: "stop", usage: { costUsd: 0 } });
  });

  test("what a run had used before it was resumed stays used", async () => {
    const used = countScriptedUses([{ scripted: 3 }, { scripted: [0] }, { scripted: 3, scriptedBefore: [1] }, {}]);
    expect([...used]).toEqual([
      [3, 2],
      [0, 1],
      [1, 1],
    ]);
    expect((await ask(await script(text, used))).text).toBe("always");
  });
});

test("tool calls, writes and JSON are given as they stand", async () => {
  const model = await script(`
answers:
  - toolCalls: [{ name: read, arguments: { path: a.py } }, { name: list }]
  - writes: [{ path: a.py, content: "x = 1" }, { path: b.py, delete: true }]
    text: done
  - json: { ok: true }
`);
  expect(await ask(model)).toMatchObject({
    finish: "tools",
    toolCalls: [
      { id: "call_0_0_0", name: "read", arguments: { path: "a.py" } },
      { id: "call_0_0_1", name: "list", arguments: {} },
    ],
  });
  // Writes end the attempt: no shape is asked of them.
  const output = { name: "Other", schema: { type: "object", required: ["x"] } };
  const writes = [
    { path: "a.py", content: "x = 1" },
    { path: "b.py", delete: true },
  ];
  expect(await ask(model, { output })).toMatchObject({ text: "done", writes });
  const pieces: string[] = [];
  const answer = await ask(model, { onText: (text) => pieces.push(text) });
  expect(answer).toMatchObject({ text: '{"ok":true}', json: { ok: true } });
  expect(pieces).toEqual(['{"ok":true}']);
});

describe("where a shape is asked for", () => {
  const output = { name: "Fruit", schema: { type: "object", required: ["name"] } };

  test("text is read as JSON, and what does not fit is followed by the next answer", async () => {
    const model = await script(`
answers:
  - text: An apple!
  - json: { colour: red }
  - text: '{"name": "apple"}'
    when: { contains: lacks name }
`);
    const answer = await ask(model, { output });
    expect(answer).toMatchObject({ json: { name: "apple" }, scripted: 2, scriptedBefore: [0, 1] });
  });

  test("too many that do not fit fail, with all that were used up", async () => {
    const model = await script("answers: [{ text: no, repeat: always }]");
    await expect(ask(model, { output })).rejects.toMatchObject({
      code: "model.failed",
      message: expect.stringContaining("is not a valid Fruit, after 3 answers: it is not valid JSON"),
      data: { scripted: [0, 0, 0] },
    });
  });
});

test("an error of the script is the provider's", async () => {
  const model = await script("answers: [{ error: out of service }]");
  await expect(ask(model)).rejects.toMatchObject({
    code: "model.failed",
    message: "scripted: out of service",
    data: { scripted: [0] },
  });
});

test("where nothing fits, the error shows the request and what is left", async () => {
  const model = await script(`
answers:
  - { when: { step: plan }, text: a plan }
  - { when: { task: t9, contains: needle }, text: x }
  - { text: once }
`);
  await ask(model);
  await expect(ask(model, { task: "t1" })).rejects.toMatchObject({
    code: "model.failed",
    message: expect.stringMatching(
      /step work, task t1, last message: "Fix add\(\)"\)\. Left in the script: answer 0 \(step plan\); answer 1 \(task t9, contains "needle"\)\.$/,
    ),
    data: { step: "work", task: "t1" },
  });
});

test("a budget in tokens holds for scripts too, and what it refuses is not used up", async () => {
  const model = await script("answers: [{ text: once }]");
  await expect(createBudget({ tokens: 5, usd: 1 }).limit(model).ask(request())).rejects.toMatchObject({
    code: "limit.budget",
  });
  const budget = createBudget({ tokens: 500, usd: 1 });
  expect((await budget.limit(model).ask(request())).text).toBe("once");
  expect(budget.spent()).toEqual({ tokens: expect.any(Number), usd: 0 });
  expect(budget.spent().tokens).toBeGreaterThan(5);
  function request(): ModelRequest {
    return { step: "work", system: "s".repeat(35), messages: [] };
  }
});

test("a cancelled request uses nothing up", async () => {
  const model = await script("answers: [{ text: once }]");
  await expect(ask(model, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "run.cancelled" });
  expect((await ask(model)).text).toBe("once");
});

describe("a script that can't be used is refused with its place", () => {
  test.each([
    ["answers: [", /answers, all\.yaml:1:\d+: not valid YAML: the list has no closing \]/, /Add \]/],
    [
      "answers:\n  - texts: hello\n",
      /:2:5: answers\.0\.texts: unknown key/,
      /Did you mean text\? Known here: when, text/,
    ],
    ["answers:\n  - text: a\n  - text: 5\n", /:3:5: answers\.1\.text: must be text, not a number/, /answers\.1\.text/],
    ["answers:\n  - when: { step: play }\n    text: a\n", /:2:13: answers\.0\.when\.step: must be one of/, /step/],
    ["answers:\n  - when: {}\n", /:2:5: answers\.0: give at least one of/, /answers\.0/],
    ["answers: []", /:1:1: answers: /, /answers/],
    ["answers:\n  - text: a\nanswers: []\n", /:3:1: not valid YAML: this key is there twice/, /Keep one/],
    ["- text: a", /:1:1: must be a map of keys and values, not a list/, /keys are answers/],
    ['{"answers":[{"text":"a","repeat":0}]}', /:1:25: answers\.0\.repeat: /, /repeat/],
  ])("%j", async (text, message, hint) => {
    await expect(script(text)).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test("one that does not exist", async () => {
    await expect(createModel("scripted:/nowhere/at/all.yaml")).rejects.toMatchObject({ code: "model.unavailable" });
  });
});

test("neither loading the room nor a script needs the providers' packages", async () => {
  await script("answers: [{ text: from a file }]");
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (/^(@ai-sdk|ai|@hyperjump)(\\/|$)/.test(name)) throw new Error("loaded " + name);
      return next(name, context);
    } });
    const { createModel } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
    const model = await createModel(${JSON.stringify(`scripted:${join(directory, "answers, all.yaml")}`)});
    console.log((await model.ask({ step: "chat", system: "", messages: [] })).text);
  `;
  const args = [
    "--conditions=drydock-source",
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    program,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe("from a file\n");
});

test("a replayed model answers what was recorded, and nothing else", async () => {
  const recorded = [await ask(await script("answers: [{ text: once }]"))];
  const replay = createReplayModel(async () => recorded.shift() ?? null);
  expect(await ask(replay)).toMatchObject({ text: "once", scripted: 0 });
  await expect(ask(replay, { task: "t1" })).rejects.toMatchObject({
    code: "model.failed",
    message: "The record has no answer to this request (work of task t1).",
  });
});
