import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { agent, agents, describeAgent, executeCode, generateCode, type TaskProgress } from "drydock";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import * as z from "zod";
import { code, openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock("version: 1\nnetwork:\n  allow: { default: [], max: ['127.0.0.1:*'] }\n");
beforeEach(() => agents.use(tasks.dock));
afterEach(() => agents.use(null));

const text = z.object({ text: z.string() });

describe("an agent", () => {
  const summarize = agent({
    name: "summarize",
    description: "Summarizes a text.",
    input: text,
    output: z.object({ summary: z.string(), words: z.number().int().max(10) }),
    prompt: "Summarize: {{ text }}",
  });

  it("is a typed function with validated output, and sends back what is not valid", async () => {
    const model = tasks.script([
      { json: { summary: "too long", words: 99 } },
      { when: { contains: "words" }, json: { summary: "short", words: 3 } },
    ]);
    const result = await summarize("A text. {{ not.a.template }}", { model });
    expectTypeOf(result).toEqualTypeOf<{ summary: string; words: number }>();
    expect(result).toEqual({ summary: "short", words: 3 });
  });

  it("rejects after its repairs, and the run says so", async () => {
    const model = tasks.script([{ json: { summary: "x", words: 99 }, repeat: "always" }]);
    const call = summarize({ text: "x" }, { model });
    await expect(call).rejects.toMatchObject({ code: "model.failed" });
    const { data } = (await call.catch((error: unknown) => error)) as { data: { runId: string } };
    expect(await tasks.dock.runs.get(data.runId)).toMatchObject({
      kind: "agent",
      status: "failed",
      errorCode: "model.failed",
    });
  });

  it("refuses an input of another shape before anything is asked", async () => {
    await expect(summarize({ text: 1 } as never)).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("streams words as they come, and its result last", async () => {
    const model = tasks.script([{ json: { summary: "s", words: 1 } }]);
    const kinds: string[] = [];
    let last: unknown;
    for await (const event of summarize.stream("x", { model })) {
      kinds.push(event.kind);
      if (event.kind === "result") last = event.output;
    }
    expect(kinds).toEqual(["asked", "text", "answered", "result"]);
    expect(last).toEqual({ summary: "s", words: 1 });
  });

  it("that is left while it streams is cancelled", async () => {
    const model = tasks.script([code("while True: pass")]);
    let runId = "";
    const onEvent = (event: { runId: string }) => {
      runId = event.runId;
    };
    for await (const event of executeCode.stream("loop", { model, onEvent })) if (event.kind === "code") break;
    expect(await tasks.dock.runs.get(runId)).toMatchObject({ status: "cancelled" });
  });

  it.each([
    ["an unknown variable", { prompt: "Say {{ txt }}" }, "no variable txt", "Known here: text"],
    [
      "an unknown property",
      {
        prompt: "{{ text }} {{ user.nme }}",
        input: z.object({ text: z.string(), user: z.object({ name: z.string() }) }),
      },
      "user.nme",
      "name",
    ],
    ["an unknown filter", { prompt: "{{ text | nope }}" }, "nope", "Liquid"],
    ["a tag that is not closed", { prompt: "{% if text %}" }, "can't be read", "Liquid"],
    ["a file to include", { prompt: "{% include '/etc/passwd' %}" }, "can't be read", "Liquid"],
    ["a name with a blank", { name: "a b" }, "is not a name", "letter"],
    ["no schema", { input: { text: "string" } as never }, "not a zod schema", "z.object"],
    ["two tools of one name", { tools: [summarize, summarize] }, "two tools summarize", "own name"],
  ])("is refused when it is defined with %s", (_, wrong, message, hint) => {
    const define = () => agent({ name: "a", description: "d", input: text, prompt: "{{ text }}", ...wrong } as never);
    expect(define).toThrow(message);
    try {
      define();
    } catch (error) {
      expect(error).toMatchObject({ code: "input.invalid", hint: expect.stringContaining(hint) });
    }
  });

  it("describes itself with JSON Schemas", () => {
    expect(describeAgent(summarize)).toMatchObject({
      name: "summarize",
      input: { type: "object", required: ["text"] },
      executes: null,
      tools: [],
    });
  });

  it("lets hooks see and change what goes through it", async () => {
    const seen: string[] = [];
    const loud = agent({
      name: "loud",
      description: "Shouts.",
      input: text,
      prompt: "{{ text }}",
      hooks: {
        beforeGenerate: ({ prompt }) => `${prompt}!`,
        afterGenerate: ({ text: said }) => said.toUpperCase(),
        afterCall: ({ output }) => void seen.push(String(output)),
      },
    });
    const model = tasks.script([{ when: { contains: "hey!" }, text: "hello" }]);
    expect(await loud("hey", { model })).toBe("HELLO");
    expect(seen).toEqual(["HELLO"]);
  });
});

describe("tools of an agent", () => {
  const add = {
    name: "add",
    description: "Adds.",
    input: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }: { a: number; b: number }) => a + b,
  };

  it("are called with validated input, and what they throw is told", async () => {
    const calculator = agent({
      name: "calculator",
      description: "Calculates.",
      input: text,
      prompt: "{{ text }}",
      tools: [add],
    });
    const model = tasks.script([
      {
        toolCalls: [
          { name: "add", arguments: { a: "x", b: 1 } },
          { name: "sub", arguments: {} },
        ],
      },
      { when: { contains: "There is no tool sub" }, toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] },
      { when: { contains: "3" }, text: "three" },
    ]);
    const { output, toolCalls, runId } = await calculator.run("1+2", { model });
    expect(output).toBe("three");
    expect(toolCalls.map(({ name, failed }) => [name, failed])).toEqual([
      ["add", true],
      ["sub", true],
      ["add", false],
    ]);
    const finished = (await tasks.dock.runs.events(runId)).filter(({ type }) => type === "tool.finished");
    expect(finished).toHaveLength(3);
  });

  it("can be agents, which never get more than their caller has", async () => {
    const inner = agent({
      name: "inner",
      description: "Runs code.",
      input: z.object({ task: z.string() }),
      prompt: "{{ task }}",
      execute: { policy: { limits: { wallSeconds: 60 }, network: { allow: ["127.0.0.1:80"] } } },
    });
    const outer = agent({
      name: "outer",
      description: "Delegates.",
      input: text,
      prompt: "{{ text }}",
      tools: [inner],
    });
    const model = tasks.script([
      { when: { task: "outer", contains: '"result":5' }, text: "five" },
      { when: { task: "outer" }, toolCalls: [{ name: "inner", arguments: { task: "go" } }] },
      { ...code("result = 5"), when: { task: "inner" } },
    ]);
    const { output, toolCalls, runId } = await outer.run("go", { model, policy: { limits: { wallSeconds: 7 } } });
    expect(output).toBe("five");
    const [created] = await tasks.dock.runs.events(String(toolCalls[0]?.runId));
    expect(created?.data).toMatchObject({
      parentRunId: runId,
      policy: { limits: { wallSeconds: 7 }, network: { allow: [] } },
    });
  });

  it("that call each other in a circle come to an end", async () => {
    const tools: never[] = [];
    const circle = agent({ name: "circle", description: "Calls itself.", input: text, prompt: "{{ text }}", tools });
    tools.push(circle as never);
    const model = tasks.script([
      { when: { contains: "8 deep" }, text: "enough" },
      { when: { contains: "enough" }, text: "enough" },
      { toolCalls: [{ name: "circle", arguments: { text: "again" } }], repeat: "always" },
    ]);
    expect(await circle("go", { model })).toBe("enough");
  });
});

describe("an agent that executes", () => {
  it("gives code, output and result: fibonacci(20) is 6765", async () => {
    const fib = "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint('ok')\nresult = fib(20)";
    const result = await executeCode("Calculate fibonacci(20)", { model: tasks.script([code(fib)]) });
    expect(result).toEqual({ success: true, code: `${fib}\n`, output: "ok\n", result: 6765, error: null });
  });

  it("averages the ages of a table", async () => {
    const model = tasks.script([
      code("import pandas as pd\nresult = pd.DataFrame({'age': [25, 30, 35]})['age'].mean()"),
    ]);
    expect(await executeCode("Average age", { model })).toMatchObject({ success: true, result: 30 });
  });

  it("has the strict guard and 30 seconds, and is told what was refused", async () => {
    const model = tasks.script([
      code("import os\nresult = os.getcwd()"),
      code("result = 1", { contains: "policy.import_denied" }),
    ]);
    const { output, runId } = await executeCode.run("Look around", { model });
    expect(output).toMatchObject({ success: true, result: 1 });
    const [created] = await tasks.dock.runs.events(runId);
    expect(created?.data.policy).toMatchObject({
      python: { guard: "strict" },
      limits: { wallSeconds: 30, cpuSeconds: 30 },
    });
  });

  it("reaches a host only where the call allows it", async () => {
    const server = createServer((_, response) => response.end('{"usd": 42}')).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const fetchFrom = (host: string) =>
      tasks.script([
        {
          ...code(
            `import json\nfrom urllib.request import urlopen\nresult = json.load(urlopen('http://${host}/', timeout=5))['usd']`,
          ),
          repeat: "always",
        },
      ]);
    const refused = await executeCode("The price of a bitcoin", { model: fetchFrom("prices.example") });
    expect(refused).toMatchObject({
      success: false,
      error: { code: "policy.network_denied", hint: expect.stringContaining("allow") },
    });
    const host = `127.0.0.1:${port}`;
    const options = { model: fetchFrom(host), policy: { network: { allow: [host] } } };
    expect(await executeCode("The price of a bitcoin", options)).toMatchObject({ success: true, result: 42 });
  });

  it("holds the result against its output's schema", async () => {
    const count = agent({
      name: "count",
      description: "Counts.",
      input: text,
      output: z.number().int(),
      prompt: "Count the letters of {{ text }}",
      execute: {},
    });
    const model = tasks.script([code("result = 'three'"), code("result = 3", { contains: "can't be used" })]);
    const result = await count("abc", { model });
    expectTypeOf(result.result).toEqualTypeOf<number>();
    expect(result).toMatchObject({ success: true, result: 3 });
  });

  it("runs Node and Bash as well", async () => {
    const define = (language: "node" | "bash") =>
      agent({ name: language, description: "Runs.", input: text, prompt: "{{ text }}", execute: { language } });
    const answer = (language: string, source: string) =>
      tasks.script([{ text: `\`\`\`${language}\n${source}\n\`\`\`` }]);
    expect(await define("node")("x", { model: answer("js", "console.log(6 * 7)") })).toMatchObject({
      success: true,
      output: "42\n",
    });
    expect(await define("bash")("x", { model: answer("sh", "echo $((6 * 7))") })).toMatchObject({
      success: true,
      output: "42\n",
    });
  });

  it("tells what goes on, by name", async () => {
    const seen: TaskProgress[] = [];
    await executeCode("x", { model: tasks.script([code("print(1)")]), onProgress: (one) => seen.push(one) });
    expect(seen.map(({ kind }) => kind)).toEqual(["asked", "text", "answered", "code", "output", "executed"]);
    expect(new Set(seen.map((one) => one.agent))).toEqual(new Set(["executeCode"]));
  });
});

it("code can be written without being run", async () => {
  expect(await generateCode("Say hi", { model: tasks.script([code("print('hi')")]) })).toBe("print('hi')");
});
