import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan, RunEvent } from "@drydock/protocol";
import { createClient } from "drydock/client";
import { describe, expect, it, vi } from "vitest";
import { openTestServer, readEvents } from "./testing/open-test-server.ts";

const WRONG = "def add(a, b):\n    return a - b\n";
const FIXED = "def add(a, b):\n    return a + b\n";
const CHECK = { type: "file_contains", path: "calc.py", needle: "a + b" } as const;
const TASK = { id: "fix", title: "Correct add()", checks: [CHECK], attempts: 2 };
const PLAN = { goal: "Make add() add", tasks: [TASK] };
const place = openTestServer({
  script: [
    { when: { step: "plan" }, json: PLAN, repeat: "always" },
    { when: { task: "slow" }, writes: [{ path: "calc.py", content: "def add(a, b):\n    return 0\n" }] },
    { when: { step: "work" }, writes: [{ path: "calc.py", content: FIXED }], repeat: "always" },
    { when: { step: "rework" }, writes: [{ path: "calc.py", content: FIXED }], repeat: "always" },
  ],
});
const { call } = place;
const makeWorkspace = () => place.makeWorkspace({ "calc.py": WRONG });
const calcOf = (workspace: string) => readFileSync(join(workspace, "calc.py"), "utf8");

async function untilStatus(id: unknown, status: string) {
  await vi.waitFor(async () => expect((await call("GET", `/runs/${id}`)).value).toMatchObject({ status }), {
    timeout: 60_000,
    interval: 50,
  });
}

/** A delivery comes after the run's verdict. */
const untilDelivered = (workspace: string) =>
  vi.waitFor(() => expect(calcOf(workspace)).toBe(FIXED), { timeout: 60_000, interval: 20 });

async function listEvents(id: unknown): Promise<RunEvent[]> {
  return (await call("GET", `/runs/${id}/events`)).value.events as RunEvent[];
}

/** A run that waits with its plan. */
async function startWaiting(workspace: string): Promise<string> {
  const goal = { kind: "goal", goal: "Make add() add", workspace, reviewPlan: true };
  const { id } = (await call("POST", "/runs", goal)).value;
  await untilStatus(id, "paused");
  return String(id);
}

describe("a plan", () => {
  it("is made without a run of it, on record and by a stream as well", async () => {
    const workspace = makeWorkspace();
    const made = await call("POST", "/plans", { goal: "Make add() add", workspace });
    expect(made).toMatchObject({ status: 200, value: { plan: { goal: "Make add() add", tasks: [TASK] } } });
    expect(calcOf(workspace)).toBe(WRONG);
    const recorded = (await call("GET", `/runs/${made.value.runId}/plan`)).value;
    expect(recorded).toMatchObject({ state: "accepted", source: "planner", review: "none", plan: made.value.plan });
    const body = { goal: "Make add() add", workspace };
    const { text } = await call("POST", "/plans", body, { accept: "text/event-stream" });
    const events = readEvents(text);
    expect([events[0]?.event, events.at(-1)?.event]).toEqual(["started", "result"]);
    expect(JSON.parse(events.at(-1)?.data ?? "")).toMatchObject({ plan: { tasks: [{ id: "fix" }] } });
  });

  it("is refused with our codes: no goal, no workspace, a model that is no name", async () => {
    const workspace = makeWorkspace();
    for (const body of [{ workspace }, { goal: "x" }, { goal: "x", workspace: "/nowhere" }, { goal: "", workspace }]) {
      const answer = await call("POST", "/plans", body);
      expect([body, answer.status, answer.value.error]).toMatchObject([body, 400, { code: "input.invalid" }]);
    }
    const { runId } = (await call("POST", "/execute", { code: "1" })).value;
    expect((await call("GET", `/runs/${runId}/plan`)).value.error).toMatchObject({ code: "input.invalid" });
    expect((await call("GET", "/runs/run_none/plan")).status).toBe(404);
  });

  it("waits for a review before anything is done, also where somebody resumes its run", async () => {
    const workspace = makeWorkspace();
    const id = await startWaiting(workspace);
    expect((await call("GET", `/runs/${id}/plan`)).value).toMatchObject({ state: "proposed", plan: PLAN });
    await call("POST", `/runs/${id}/resume`, {});
    await untilStatus(id, "paused");
    const before = (await listEvents(id)).map(({ type }) => type);
    expect(before.filter((type) => type === "plan.proposed")).toHaveLength(1);
    expect(before.filter((type) => type === "run.paused")).toHaveLength(2);
    expect(before).not.toContain("attempt.started");
    const approved = await call("POST", `/runs/${id}/plan`, { decision: "approve" });
    expect(approved).toMatchObject({ status: 202, value: { id } });
    await untilStatus(id, "succeeded");
    await untilDelivered(workspace);
    expect((await call("GET", `/runs/${id}/plan`)).value).toMatchObject({ state: "accepted", review: "approved" });
    const again = await call("POST", `/runs/${id}/plan`, { decision: "approve" });
    expect(again).toMatchObject({ status: 400, value: { error: { code: "input.invalid" } } });
  });

  it("is edited; an edit that is not valid is refused, and the run waits on", async () => {
    const workspace = makeWorkspace();
    const id = await startWaiting(workspace);
    const { plan } = (await call("GET", `/runs/${id}/plan`)).value as { plan: Plan };
    const decide = (tasks: unknown[]) =>
      call("POST", `/runs/${id}/plan`, { decision: "approve", plan: { ...plan, tasks } });
    const circle = await decide(plan.tasks.map((task) => ({ ...task, dependsOn: [task.id] })));
    expect(circle).toMatchObject({ status: 422, value: { error: { code: "plan.invalid" } } });
    await untilStatus(id, "paused");
    const more = { type: "unchanged", paths: ["README.md"] };
    expect((await decide(plan.tasks.map((task) => ({ ...task, checks: [...task.checks, more] })))).status).toBe(202);
    await untilStatus(id, "succeeded");
    const accepted = (await call("GET", `/runs/${id}/plan`)).value;
    expect(accepted).toMatchObject({ review: "edited", plan: { tasks: [{ checks: [CHECK, more] }] } });
  });

  it("is rejected: the run ends with the reason, and nothing was done", async () => {
    const workspace = makeWorkspace();
    const id = await startWaiting(workspace);
    const wrong = await call("POST", `/runs/${id}/plan`, { decision: "reject", plan: PLAN });
    expect(wrong).toMatchObject({ status: 400, value: { error: { code: "input.invalid" } } });
    await call("POST", `/runs/${id}/plan`, { decision: "reject", reason: "Too bold." });
    await untilStatus(id, "failed");
    const { error } = (await call("GET", `/runs/${id}`)).value;
    expect(error).toMatchObject({ code: "policy.approval_denied", message: expect.stringContaining("Too bold.") });
    expect(calcOf(workspace)).toBe(WRONG);
  });
});

describe("single tasks", () => {
  it("are added, listed, run and cancelled; the client has the same methods", async () => {
    const { url, token } = place.server;
    const client = createClient({ baseUrl: url, token: token ?? "" });
    const workspace = makeWorkspace();
    const added = await client.backlog.add({ workspace, task: TASK });
    expect(added).toMatchObject({ id: "fix", status: "todo", source: "backlog", workspace });
    await client.backlog.add({ workspace, task: { ...TASK, id: "later" } });
    expect((await client.backlog.list({ workspace })).tasks.map(({ id }) => id)).toEqual(["fix", "later"]);
    expect(await client.backlog.cancel("later", workspace)).toEqual({ id: "later", status: "cancelled" });
    const run = await client.backlog.run({ workspace });
    await untilStatus(run.id, "succeeded");
    await untilDelivered(workspace);
    const { tasks } = await client.backlog.list({ workspace });
    expect(tasks.map(({ id, status, runId }) => [id, status, runId])).toEqual([
      ["fix", "done", run.id],
      ["later", "cancelled", null],
    ]);
    expect((await call("GET", "/backlog")).value.tasks).toEqual(expect.arrayContaining(tasks));
    await expect(client.backlog.run({ workspace })).rejects.toMatchObject({ code: "input.invalid" });
    const none = { type: "file_exists", path: "a" };
    const bad = [{ workspace }, { workspace, task: { id: "x" } }, { workspace: "/nowhere", task: { ...TASK, none } }];
    for (const body of bad) expect((await call("POST", "/backlog", body)).status).toBe(400);
    expect((await call("POST", "/backlog/nothing/cancel", { workspace })).status).toBe(400);
  });

  it("wait with their plan as well, where a review is wanted", async () => {
    const workspace = makeWorkspace();
    await call("POST", "/backlog", { workspace, task: TASK });
    const { id } = (await call("POST", "/backlog/run", { workspace, tasks: ["fix"], reviewPlan: true })).value;
    await untilStatus(id, "paused");
    expect((await call("GET", `/backlog?workspace=${workspace}`)).value.tasks).toMatchObject([{ status: "doing" }]);
    await call("POST", `/runs/${id}/plan`, { decision: "approve" });
    await untilStatus(id, "succeeded");
    expect((await call("GET", `/backlog?workspace=${workspace}`)).value.tasks).toMatchObject([{ status: "done" }]);
  });
});

describe("records", () => {
  it("of a run are files: what was verified, what was sent back, the snapshot", async () => {
    const workspace = makeWorkspace();
    const plan = { ...PLAN, tasks: [{ ...TASK, id: "slow" }] };
    const { id } = (await call("POST", "/runs", { kind: "goal", plan, workspace, apply: "never" })).value;
    await untilStatus(id, "succeeded");
    const { records } = (await call("GET", `/runs/${id}/records`)).value as { records: { path: string }[] };
    const paths = records.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["plan.json", "verification.json", "snapshot.json", "events.jsonl"]));
    const read = (path: string) => call("GET", `/runs/${id}/records/file?path=${path}`);
    for (const path of paths) expect([path, (await read(path)).status]).toEqual([path, 200]);
    expect((await read("attempts/slow/1/rework_request.json")).value).toMatchObject({ task: "slow", attemptsLeft: 1 });
    const verified = await read("attempts/slow/2/verification.json");
    expect(verified.headers.get("content-type")).toBe("application/json");
    expect(verified.headers.get("content-security-policy")).toContain("sandbox");
    expect(JSON.stringify(verified.value)).toContain('"verdict":"passed"');
    expect((await read("snapshot.json")).value).toMatchObject({ tasks: [{ id: "slow", status: "done", attempts: 2 }] });
    expect((await read("events.jsonl")).text.trim().split("\n")).toHaveLength((await listEvents(id)).length);
    for (const path of ["nothing.json", "../../policy.yaml", "/etc/passwd", ""])
      expect([path, (await read(path)).status]).toEqual([path, 400]);
  });

  it("of everything are audited: the chain holds, its head is signed, and all of it is exported", async () => {
    await call("POST", "/execute", { code: "1" });
    const anchored = (await call("GET", "/audit/anchor")).value;
    const expected = JSON.stringify(anchored.anchor);
    await call("POST", "/execute", { code: "2" });
    const verify = (query: Record<string, string>) => call("GET", `/audit/verify?${new URLSearchParams(query)}`);
    const report = await verify({ expect: expected });
    const { position, hash, keyId } = anchored;
    const anchors = [{ ok: true, position, hash, keyId, problem: null }];
    expect(report).toMatchObject({ status: 200, value: { ok: true, runs: expect.any(Number), anchors } });
    const lost = (await verify({ expect: "0".repeat(64) })).value;
    expect(lost).toMatchObject({ ok: false, anchors: [{ ok: false }] });
    const exported = await call("GET", "/audit/export");
    expect(exported.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = exported.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { record: string });
    expect([lines[0]?.record, lines.at(-1)]).toMatchObject([
      "ledger",
      { record: "end", head: { position: expect.any(Number) } },
    ]);
    expect((await verify({ expected })).status).toBe(400);
  });
});
