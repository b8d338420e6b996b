import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan } from "@drydock/protocol";
import { afterAll, expect, it } from "vitest";
import { findPoorDescriptions, listFields } from "../http/testing/list-fields.ts";
import { useMcp } from "./testing/use-mcp.ts";

const NAMES = [
  ...["plan_goal", "task_list", "task_run", "audit_verify", "kb_search"],
  ...["agent_list", "agent_send", "conversation_page"],
];
const TASK = { id: "hello", title: "Say hello", checks: [{ type: "file_exists", path: "hello.txt" }], attempts: 1 };
const PLAN = { goal: "Say hello", tasks: [TASK] };
const directory = mkdtempSync(join(tmpdir(), "drydock-mcp-choice-"));
const script = join(directory, "script.json");
writeFileSync(
  script,
  JSON.stringify({
    answers: [
      { when: { step: "plan" }, json: PLAN },
      { when: { step: "work" }, writes: [{ path: "hello.txt", content: "hello\n" }], repeat: "always" },
    ],
  }),
);
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const all = useMcp("auto", { tools: ["*"], model: `scripted:${script}` });
const usual = useMcp("auto", { tools: ["!run_apply"] });

it("tools that few agents need are offered where a pattern names them, each with its descriptions", async () => {
  const names = async (place: typeof all) => (await place().client.listTools()).tools.map(({ name }) => name);
  expect(await names(all)).toEqual(expect.arrayContaining([...NAMES, "execute_code"]));
  expect((await names(usual)).filter((name) => NAMES.includes(name))).toEqual([]);
  const { tools } = await all().client.listTools();
  for (const { name, inputSchema, outputSchema } of tools.filter((tool) => NAMES.includes(tool.name)))
    expect([name, findPoorDescriptions(listFields([inputSchema, outputSchema], name))]).toEqual([name, []]);
});

it("a plan is made and not carried out, changed, and given to run_goal", async () => {
  const { call, workspace } = all();
  const { plan, runId } = (await call("plan_goal", { goal: "Say hello" })).structuredContent as unknown as {
    plan: Plan;
    runId: string;
  };
  expect(plan).toMatchObject({ goal: "Say hello", tasks: [{ id: "hello", attempts: 1 }] });
  expect(() => readFileSync(join(workspace, "hello.txt"))).toThrow(/ENOENT/);
  const edited = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, id: "greet" })) };
  const done = (await call("run_goal", { plan: edited, apply: "never" })).structuredContent;
  expect(done).toMatchObject({ tasks: { greet: "done" } });
  expect(done.runId).not.toBe(runId);
  expect((await call("plan_goal", { goal: "x", workspace: "/etc" })).structuredContent).toMatchObject({
    error: { code: "policy.path_denied" },
  });
});

it("tasks that a person has written down are listed and carried out, and their records read", async () => {
  const { call, client, dock, workspace } = all();
  expect((await call("task_list")).structuredContent).toMatchObject({ ok: true, tasks: [] });
  await dock.tasks.add(workspace, TASK);
  expect((await call("task_list")).structuredContent).toMatchObject({ tasks: [{ id: "hello", status: "todo" }] });
  const done = (await call("task_run", { tasks: ["hello"] })).structuredContent;
  expect(done).toMatchObject({ ok: true, status: "succeeded", tasks: { hello: "done" }, delivery: "applied" });
  expect(readFileSync(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
  expect((await call("task_run")).structuredContent).toMatchObject({ ok: false, error: { code: "input.invalid" } });
  const read = async (path: string) =>
    (await client.readResource({ uri: `drydock://runs/${done.runId}/records${path}` })).contents[0] as { text: string };
  const paths = JSON.parse((await read("")).text);
  expect(paths).toEqual(expect.arrayContaining(["snapshot.json", "attempts/hello/1/verification.json"]));
  expect(JSON.parse((await read("/attempts/hello/1/verification.json")).text)).toMatchObject({ verdict: "passed" });
  expect(JSON.parse((await read("/snapshot.json")).text)).toMatchObject({ tasks: [{ id: "hello", status: "done" }] });
  await expect(read("/..%2F..%2Fpolicy.yaml")).rejects.toThrow(/has no record/);
});

it("the ledger is checked, and what is broken is an answer", async () => {
  const { call, dock } = all();
  const { line } = await dock.audit.anchor();
  expect((await call("audit_verify", { expect: line })).structuredContent).toMatchObject({
    ok: true,
    intact: true,
    anchors: [{ ok: true }],
  });
  const lost = (await call("audit_verify", { expect: "0".repeat(64) })).structuredContent;
  expect(lost).toMatchObject({ ok: true, intact: false, anchors: [{ ok: false }] });
});

it("agents of the host are listed, spoken to, and their conversations read", async () => {
  const { call, dock } = all();
  const root = join(import.meta.dirname, "../../../../..");
  await dock.host.plugins.add(join(root, "runners/echo"));
  await dock.host.agents.add({ name: "helper", runner: "plugin:drydock/echo/echo" });
  expect((await call("agent_list")).structuredContent).toMatchObject({ agents: [{ name: "helper" }] });
  const said = (await call("agent_send", { agent: "helper", text: "Hello there" })).structuredContent;
  expect(said).toMatchObject({
    ok: true,
    kind: "answered",
    text: "Hello there",
    runId: expect.stringMatching(/^run_/),
  });
  const first = (await call("conversation_page", { limit: 1 })).structuredContent;
  expect(first).toMatchObject({ messages: [{ role: "assistant", text: "Hello there" }] });
  const second = (await call("conversation_page", { limit: 1, cursor: first.cursor })).structuredContent;
  expect(second).toMatchObject({ messages: [{ role: "user" }], cursor: null });
  expect((await call("agent_send", { agent: "nobody", text: "x" })).structuredContent).toMatchObject({
    error: { code: "agent.not_found" },
  });
  expect((await call("conversation_page", { conversation: "none" })).structuredContent).toMatchObject({
    error: { code: "conversation.not_found" },
  });
});

it("knowledge bases are searched, and a wrong name is answered with the right ones", async () => {
  const { call, dock } = all();
  writeFileSync(join(directory, "harbour.md"), "The crane stands in the harbour.");
  await dock.knowledge.add("handbook", [join(directory, "harbour.md")]);
  expect((await call("kb_search", { name: "handbook", query: "crane" })).structuredContent).toMatchObject({
    ...{ ok: true, hits: [{ source: "harbour.md" }], ranking: ["words"] },
  });
  expect((await call("kb_search", { name: "other", query: "crane" })).structuredContent).toMatchObject({
    error: { code: "knowledge.not_found", hint: "There are: handbook." },
  });
});
