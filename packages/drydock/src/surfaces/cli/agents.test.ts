import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const SOURCE = new URL("../../index.ts", import.meta.url).href;
const ZOD = pathToFileURL(join(import.meta.dirname, "../../../../../node_modules/zod/index.js")).href;
const code = (text: string) => ["```python", text, "```"].join("\n");
const ANSWERS = [
  { when: { contains: "2 3 5" }, text: "They are few." },
  { when: { contains: "Boss: " }, toolCalls: [{ name: "compute", arguments: { input: "the first primes" } }] },
  { when: { contains: "Grade: Call" }, json: { grade: "good" } },
  { when: { contains: "Shorten: " }, text: "All of it, in short." },
  { when: { contains: "Add 3 and 4" }, json: { sum: 7 } },
  { when: { contains: "primes" }, text: code("print(2, 3, 5)") },
  { when: { contains: "nothing" }, text: code("1 / 0") },
].map((answer) => ({ ...answer, repeat: "always" }));
let file = "";
let model: string[] = [];

beforeAll(() => {
  file = join(home(), "agents.mjs");
  writeFileSync(
    file,
    `import { agent } from ${JSON.stringify(SOURCE)};
import * as z from ${JSON.stringify(ZOD)};
export const grade = agent({ name: "grade", description: "Grades a text", input: z.object({ text: z.string() }), output: z.object({ grade: z.string() }), prompt: "Grade: {{ text }}" });
export const short = agent({ name: "short", description: "Shortens a text", input: z.string(), prompt: "Shorten: {{ input }}" });
export const add = agent({ name: "add", description: "Adds", input: z.object({ a: z.number(), b: z.number(), note: z.string().optional() }), output: z.object({ sum: z.number() }), prompt: "Add {{ a }} and {{ b }}" });
export const compute = agent({ name: "compute", description: "Computes", input: z.string(), prompt: "{{ input }}", execute: { attempts: 1 } });
export const boss = agent({ name: "boss", description: "Has others work", input: z.string(), prompt: "Boss: {{ input }}", tools: [compute] });
`,
  );
  const script = join(home(), "answers.json");
  writeFileSync(script, JSON.stringify({ answers: ANSWERS }));
  model = ["--model", `scripted:${script}`];
});

describe("drydock agents", () => {
  it("lists the agents of a file with what they take", async () => {
    const { status, stdout } = await runCli("agents", "list", file);
    expect(status).toBe(0);
    expect(stdout.split("\n").map((line) => line.trimEnd())).toEqual([
      "NAME     INPUT            WHAT IT DOES",
      "grade    { text }         Grades a text",
      "short    string           Shortens a text",
      "add      { a, b, note? }  Adds",
      "compute  string           Computes (executes python)",
      "boss     string           Has others work",
      "",
    ]);
    expect((await runJson("agents", "list", file)).value).toMatchObject({
      agents: [{ name: "grade" }, {}, {}, {}, {}],
    });
  });

  it("calls one with words, or with JSON, and prints the result", async () => {
    const graded = await runCli("agents", "call", file, "grade", "Call me", "Ishmael.", ...model);
    expect(graded.status).toBe(0);
    expect(graded.stdout).toContain("good");
    const added = await runJson("agents", "call", file, "add", '{"a": 3, "b": 4}', ...model);
    expect(added).toMatchObject({ status: 0, value: { output: { sum: 7 }, toolCalls: [] } });
    expect(added.value.runId).toMatch(/^run_/);
  });

  it("shows the words of a text agent once", async () => {
    const { stdout } = await runCli("agents", "call", file, "short", "a long story", ...model);
    expect(stdout.match(/in short/g)).toHaveLength(1);
  });

  it("shows what its tools execute, and not what they were told to", async () => {
    const { status, stdout } = await runCli("agents", "call", file, "boss", "find some", ...model);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "│ print(2, 3, 5)\n2 3 5\nThey are few.\n" });
  });

  it("shows what executed code prints, and ends with the status of its error", async () => {
    const primes = await runCli("agents", "call", file, "compute", "the first primes", ...model);
    expect(primes).toMatchObject({ status: 0 });
    expect(primes.stdout).toContain("2 3 5");
    expect((await runCli("agents", "call", file, "compute", "by nothing", ...model)).status).toBe(1);
    expect(await runJson("agents", "call", file, "compute", "by nothing", ...model)).toMatchObject({
      status: 1,
      value: { output: { success: false } },
    });
  });

  it.each([
    [["call", "FILE", "nobody"], "has no agent nobody."],
    [["call", "FILE", "add", '{"a": 1}'], "agent add"],
    [["call", "/nowhere/agents.ts", "add"], "there is no such file"],
  ])("refuses %j", async (words, message) => {
    const argv = words.map((word) => (word === "FILE" ? file : word));
    const { status, stderr } = await runCli("agents", ...argv, ...model);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([["list"], ["new", "helper"]])(
    "names the command of agents that last, where that was meant: %j",
    async (...words) => {
      const { status, stderr } = await runCli("agents", ...words);
      expect(status).toBe(2);
      expect(stderr).toContain(`Did you mean drydock agent ${words[0]}?`);
    },
  );
});
