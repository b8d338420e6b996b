import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyReceipt } from "../../app/index.ts";
import { type McpPlace, useMcp } from "./testing/use-mcp.ts";

const CHECK = { type: "command", cmd: "python3 -c 'import calc; assert calc.add(2, 3) == 5'" };
const TASK = { id: "fix", title: "Correct add", scope: ["calc.py"], checks: [CHECK], attempts: 2 };
const PLAN = { goal: "Make add() add", tasks: [TASK] };
const BROKEN = "def add(a, b):\n    return a - b\n";
const WRONG = { when: { step: "work" }, writes: [{ path: "calc.py", content: "def add(a, b):\n    return 0\n" }] };
const RIGHT = { when: { step: "rework" }, writes: [{ path: "calc.py", content: BROKEN.replace("-", "+") }] };
const code = (contains: string, text: string) => ({
  when: { step: "code", contains },
  text: `\`\`\`python\n${text}\n\`\`\``,
});
const ANSWERS = [
  { when: { task: "more" }, writes: [{ path: "calc.py", content: "def add(a, b):\n    return b - a\n" }] },
  { when: { task: "again" }, writes: [{ path: "calc.py", content: BROKEN.replace("-", "+") }] },
  { when: { step: "plan" }, json: PLAN },
  WRONG,
  RIGHT,
  { when: { task: "same" }, text: "Nothing is to be done." },
  code(
    "Read data.csv",
    "import csv\nrows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open('data.csv'))]\nlen(rows)",
  ),
  code("Average", "means = {k: sum(r[k] for r in rows) / len(rows) for k in rows[0]}\nmeans"),
  code(
    "Draw",
    "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nplt.bar(list(means), list(means.values()))\nplt.savefig('chart.png')",
  ),
  { ...code("Double it", "result = n * 2"), repeat: "always" },
];

let directory = "";
const options: { model?: string } = {};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "drydock-mcp-script-"));
  options.model = `scripted:${join(directory, "script.json")}`;
  await writeFile(join(directory, "script.json"), JSON.stringify({ answers: ANSWERS }));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
const place: () => McpPlace = useMcp("auto", options);

it("carries out a goal, says how it gets on, and delivers what the checks proved", async () => {
  const { workspace, client } = place();
  await writeFile(join(workspace, "calc.py"), BROKEN);
  const seen: { progress: number; total?: number; message?: string }[] = [];
  const onprogress = (one: (typeof seen)[number]) => seen.push(one);
  const args = { goal: "Make add() add", apply: "never" };
  const { structuredContent } = await client.callTool({ name: "run_goal", arguments: args }, { onprogress });
  expect(structuredContent).toMatchObject({ ok: true, verdict: "passed", delivery: "kept", tasks: { fix: "done" } });
  expect(await readFile(join(workspace, "calc.py"), "utf8")).toBe(BROKEN);
  const numbers = seen.map(({ progress }) => progress);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(seen.at(-1)?.total).toBe(2);
  expect(seen.map(({ message }) => message).join("\n")).toContain("fix: checks failed: trying again");
  const { runId } = structuredContent as { runId: string };
  const { contents } = await client.readResource({ uri: `drydock://runs/${runId}/receipt` });
  const receipt = Buffer.from((contents[0] as { text: string }).text);
  expect(await verifyReceipt(receipt)).toMatchObject({ ok: true, facts: { run: { id: runId } } });
  await place().call("run_apply", { runId });
  expect(await readFile(join(workspace, "calc.py"), "utf8")).toContain("a + b");
});

it("judges a goal by the caller's checks", async () => {
  await writeFile(join(place().workspace, "calc.py"), BROKEN.replace("-", "+"));
  const plan = { ...PLAN, tasks: [{ ...TASK, id: "same", attempts: 1 }] };
  const checks = JSON.stringify([{ type: "file_exists", path: "LICENSE" }]);
  const { structuredContent } = await place().call("run_goal", { plan, checks, minStrength: 0 });
  expect(structuredContent).toMatchObject({ verdict: "failed", delivery: "nothing" });
});

it("goes on from the result of a goal that has ended", async () => {
  await writeFile(join(place().workspace, "calc.py"), BROKEN);
  const plan = (id: string) => ({ ...PLAN, tasks: [{ ...TASK, id, attempts: 1 }] });
  const first = await place().call("run_goal", { plan: plan("more"), apply: "never" });
  const { runId, verdict } = Object(first.structuredContent);
  expect(verdict).toBe("failed");
  const second = await place().call("run_goal", { plan: plan("again"), follow: runId, apply: "never" });
  expect(second.structuredContent).toMatchObject({ verdict: "passed", delivery: "kept" });
  const missing = await place().call("run_goal", { plan: plan("more"), follow: "run_none" });
  expect(missing.structuredContent.error).toMatchObject({ code: "run.not_found" });
});

it("takes no word of a person from a model", async () => {
  const checks = JSON.stringify([{ type: "command", cmd: "cat calc.py", sufficient: true }]);
  const { structuredContent } = await place().call("run_goal", { plan: PLAN, checks });
  expect(structuredContent.error).toMatchObject({
    code: "input.invalid",
    message: expect.stringMatching(/Only a person/),
  });
  const sufficient = {
    ...PLAN,
    tasks: [{ ...TASK, checks: [{ type: "command", cmd: "cat calc.py", sufficient: true }] }],
  };
  const planned = await place().call("run_goal", { plan: sufficient });
  expect(planned.structuredContent.error?.code).toBe("plan.invalid");
});

it("takes a goal or a plan, not neither", async () => {
  const { structuredContent } = await place().call("run_goal", {});
  expect(structuredContent.error?.code).toBe("input.invalid");
});

it("reads a table, averages its columns, draws them, and shows the picture", async () => {
  const instructions = JSON.stringify(["Read data.csv", "Average every column", "Draw a bar chart"]);
  const attachments = [{ name: "data.csv", content: "a,b\n1,10\n2,20\n3,60\n" }];
  const { content, structuredContent } = await place().call("execute_python_workflow", { instructions, attachments });
  expect(structuredContent.error).toBeNull();
  const steps = structuredContent.steps as { result: unknown; status: string }[];
  expect(steps.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  expect(steps[1]?.result).toEqual({ a: 2, b: 30 });
  expect(content.filter(({ type }) => type === "image")).toHaveLength(1);
  const link = content.find((block) => block.type === "resource_link") as { uri: string };
  const { contents } = await place().client.readResource({ uri: link.uri });
  expect(contents).toMatchObject([{ mimeType: "image/png", blob: expect.any(String) }]);
});

it.each([
  ["JSON", { variables: { n: 21 } }],
  ["a JSON string", '{"variables": {"n": 21}}'],
  ["bare variables", { n: 21 }],
])("takes context as %s", async (_name, context) => {
  const { structuredContent } = await place().call("execute_python_task", { instruction: "Double it", context });
  expect(structuredContent).toMatchObject({ ok: true, result: 42 });
});

it("works in the session that it is given, by the name that results give it", async () => {
  const { sessionId } = (await place().call("session_open")).structuredContent;
  await place().call("session_exec", { sessionId, code: "n = 21" });
  for (const name of ["sessionId", "session"]) {
    const input = { instruction: "Double it", [name]: sessionId };
    const { structuredContent } = await place().call("execute_python_task", input);
    expect(structuredContent).toMatchObject({ ok: true, result: 42, sessionId });
  }
});

it("refuses a context that is none", async () => {
  for (const context of ["{no json", '["a"]', { variables: 5 }]) {
    const { structuredContent } = await place().call("execute_python_task", { instruction: "Double it", context });
    expect(structuredContent.error?.code).toBe("input.invalid");
  }
});
