import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDock, verifyReceipt } from "../../app/index.ts";
import { openTestServer, readEvents } from "./testing/open-test-server.ts";

const FIXED = "def add(a, b):\n    return a + b\n";
const CHECKS = [{ type: "file_contains", path: "calc.py", needle: "a + b" }];
const PLAN = {
  goal: "Make add() add",
  tasks: [{ id: "fix", instructions: "Correct it", checks: CHECKS, attempts: 1 }],
};
const place = openTestServer({
  script: [
    { when: { step: "work" }, writes: [{ path: "calc.py", content: FIXED }], repeat: "always" },
    { when: { step: "code" }, text: "```python\nresult = 6 * 7\nprint(result)\n```", repeat: "always" },
  ],
});
const { call } = place;

async function ended(id: string) {
  await call("GET", `/runs/${id}/events`, undefined, { accept: "text/event-stream" });
  return (await call("GET", `/runs/${id}`)).value;
}

describe("executions", () => {
  it("answer with the library's result, also where the code fails", async () => {
    const done = await call("POST", "/execute", { language: "python", code: "print(6 * 7)\n[1, 2]" });
    expect([done.status, done.value.ok, done.value.stdout, done.value.result]).toEqual([200, true, "42\n", [1, 2]]);
    const failed = await call("POST", "/execute", { code: "1 / 0" });
    expect(failed).toMatchObject({ status: 200, value: { ok: false, error: { code: "code.exception" } } });
    const { error } = failed.value as { error: { message: string; hint: string } };
    expect((await call("GET", `/runs/${failed.value.runId}`)).value.error).toMatchObject(error);
    expect((await call("GET", `/runs/${done.value.runId}`)).value.error).toBeNull();
  });

  it("are found as the last run by whoever looks at it, and by nobody who changes it", async () => {
    const { runId } = (await call("POST", "/execute", { code: "open('x', 'w').write('1')" })).value;
    expect((await call("GET", "/runs/last")).value).toMatchObject({ id: runId });
    for (const part of ["events", "artifacts", "diff", "report"])
      expect({ part, status: (await call("GET", `/runs/last/${part}`)).status }).toEqual({ part, status: 200 });
    for (const part of ["cancel", "apply", "discard"])
      expect({ part, status: (await call("POST", `/runs/last/${part}`, {})).status }).toEqual({ part, status: 404 });
  });

  it("show output while it comes, and the result at the end", async () => {
    const code = "import time\nprint('one', flush=True)\ntime.sleep(0.3)\nprint('two')";
    const { text } = await call("POST", "/execute", { code }, { accept: "text/event-stream" });
    const events = readEvents(text);
    expect(events.map(({ event }) => event)).toEqual(["output", "output", "result"]);
    expect(JSON.parse(events[0]?.data ?? "")).toEqual({ stream: "stdout", text: "one\n" });
    expect(JSON.parse(events[2]?.data ?? "")).toMatchObject({ ok: true, stdout: "one\ntwo\n" });
  });

  it("refuse what the policy does not allow with its code and hint", async () => {
    const refused = await call("POST", "/execute", { code: "print(1)", policy: { network: { allow: ["a.org:443"] } } });
    expect(refused).toMatchObject({ status: 200, value: { ok: false, error: { code: "policy.network_denied" } } });
  });

  it("keep state in sessions, and take it back", async () => {
    const { status, value } = await call("POST", "/sessions", { language: "python" });
    expect(status).toBe(201);
    const exec = (code: string) => call("POST", `/sessions/${value.sessionId}/exec`, { code });
    await exec("x = 1");
    await exec("x = 2");
    expect((await exec("x")).value).toMatchObject({ result: 2, step: 3, variables: { x: "int" } });
    expect((await call("POST", `/sessions/${value.sessionId}/rollback`, { to: 1 })).value).toMatchObject({ step: 1 });
    const forked = await call("POST", `/sessions/${value.sessionId}/fork`, { count: 2 });
    expect(forked).toMatchObject({
      status: 201,
      value: { sessions: [{ steps: 3 }, { kept: [1], forkedFrom: { step: 1 } }] },
    });
    for (const { sessionId } of forked.value.sessions as { sessionId: string }[]) {
      expect((await call("DELETE", `/sessions/${sessionId}`)).status).toBe(200);
    }
    expect((await call("POST", `/sessions/${value.sessionId}/fork`, { count: 0 })).status).toBe(400);
    expect((await exec("x")).value).toMatchObject({ result: 1 });
    const { sessionId } = value;
    const named = { sessionId, step: expect.any(Number), result: 1 };
    expect((await call("POST", "/execute", { code: "x", sessionId })).value).toMatchObject(named);
    expect((await call("POST", "/execute", { code: "x", session: sessionId })).value).toMatchObject(named);
    expect((await call("POST", "/execute", { code: "x", session: sessionId, sessionId })).status).toBe(400);
    expect((await call("GET", "/sessions")).value.sessions).toHaveLength(1);
    expect((await call("DELETE", `/sessions/${value.sessionId}`)).value).toMatchObject({ closed: true });
    expect((await exec("x")).value).toMatchObject({ error: { code: "session.not_found" } });
  });

  it("judge a directory by checks", async () => {
    const workspace = place.makeWorkspace({ "a.txt": "hello" });
    const checks = [{ type: "file_contains", path: "a.txt", needle: "hello" }];
    const judged = await call("POST", "/verify", { workspace, checks });
    expect(judged).toMatchObject({ status: 200, value: { verdict: "passed" } });
  });
});

describe("streams on which nothing happens", () => {
  const impatient = openTestServer({ limits: { stallMs: 600 } });
  it("are held open for those who read them, however short the patience with others", async () => {
    const code = "import time; time.sleep(2)";
    const { value } = await impatient.call("POST", "/runs", { kind: "exec", code });
    const stream = { accept: "text/event-stream" };
    const { text } = await impatient.call("GET", `/runs/${value.id}/events`, undefined, stream);
    expect(JSON.parse(readEvents(text).at(-1)?.data ?? "")).toMatchObject({ type: "run.succeeded" });
    const streamed = await impatient.call("POST", "/execute", { code }, stream);
    expect(readEvents(streamed.text).at(-1)).toMatchObject({ event: "result" });
  });
});

describe("runs", () => {
  it("go on in the background, are followed by their events, and left for those who come later", async () => {
    const code = "import time; time.sleep(0.3); open('out.bin', 'wb').write(bytes(range(100))); print('done')";
    const { status, value } = await call("POST", "/runs", { kind: "exec", code });
    expect([status, value.status]).toEqual([202, "running"]);
    const followed = await call("GET", `/runs/${value.id}/events`, undefined, { accept: "text/event-stream" });
    const events = readEvents(followed.text);
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index));
    expect(JSON.parse(events.at(-1)?.data ?? "")).toMatchObject({ type: "run.succeeded" });
    const again = { accept: "text/event-stream", "last-event-id": String(events.length - 2) };
    const rest = await call("GET", `/runs/${value.id}/events`, undefined, again);
    expect(readEvents(rest.text).map(({ id }) => Number(id))).toEqual([events.length - 1]);
    const over = { ...again, "last-event-id": String(events.length - 1) };
    expect((await call("GET", `/runs/${value.id}/events`, undefined, over)).status).toBe(204);
  });

  it("give their artifacts whole and in parts, as something to save", async () => {
    const made = await call("POST", "/execute", { code: "open('out.bin', 'wb').write(bytes(range(100)))" });
    const { artifacts } = (await call("GET", `/runs/${made.value.runId}/artifacts`)).value as {
      artifacts: { id: string }[];
    };
    const path = `/artifacts/${artifacts[0]?.id}`;
    const whole = await place.fetch(path);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(Uint8Array.from({ length: 100 }, (_, index) => index));
    expect(whole.headers.get("content-disposition")).toContain("attachment");
    const part = await place.fetch(path, { headers: { range: "bytes=10-12" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 10-12/100"]);
    expect([...new Uint8Array(await part.arrayBuffer())]).toEqual([10, 11, 12]);
    const tail = await place.fetch(path, { headers: { range: "bytes=-2" } });
    expect([...new Uint8Array(await tail.arrayBuffer())]).toEqual([98, 99]);
    expect((await place.fetch(path, { headers: { range: "bytes=100-" } })).status).toBe(416);
    const etag = whole.headers.get("etag") ?? "";
    expect((await place.fetch(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await place.fetch("/artifacts/art_none")).status).toBe(404);
  });

  it("carry out a goal, keep its change, deliver it and take it back", async () => {
    const workspace = place.makeWorkspace({ "calc.py": "def add(a, b):\n    return a - b\n" });
    const { value } = await call("POST", "/runs", { kind: "goal", plan: PLAN, workspace, apply: "never" });
    expect(await ended(String(value.id))).toMatchObject({ status: "succeeded", verdict: "passed" });
    expect((await call("GET", `/runs/${value.id}/diff`)).text).toContain("+    return a + b");
    expect((await call("GET", `/runs/${value.id}/report`)).text).toContain("<!doctype html>");
    const junit = await place.fetch(`/runs/${value.id}/report?format=junit`);
    expect(junit.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(await junit.text()).toMatch(/^<\?xml [\s\S]*<property name="verdict" value="passed"\/>/);
    expect((await call("GET", `/runs/${value.id}/report?format=sarif`)).text).toContain('"version": "2.1.0"');
    expect((await call("GET", `/runs/${value.id}/report?format=pdf`)).status).toBe(400);
    const receipt = await call("GET", `/runs/${value.id}/receipt`);
    expect(receipt.headers.get("content-type")).toBe("application/vnd.in-toto.bundle");
    expect(await verifyReceipt(Buffer.from(receipt.text))).toMatchObject({
      ok: true,
      facts: { run: { id: value.id } },
    });
    const read = () => readFileSync(join(workspace, "calc.py"), "utf8");
    expect(read()).not.toBe(FIXED);
    expect((await call("POST", `/runs/${value.id}/apply`, {})).value).toMatchObject({ outcome: "applied" });
    expect(read()).toBe(FIXED);
    expect((await call("POST", `/runs/${value.id}/revert`)).value).toMatchObject({ outcome: "reverted" });
    expect(read()).not.toBe(FIXED);
    expect((await call("POST", `/runs/${value.id}/discard`)).value).toMatchObject({ runId: value.id });
  });

  it("judge a goal by the caller's checks, and keep what the caller says about tests", async () => {
    const workspace = place.makeWorkspace({ "calc.py": "def add(a, b):\n    return a - b\n" });
    const question = {
      checks: ["cat calc.py", { type: "file_exists", path: "x" }],
      mayChange: ["t/**"],
      minStrength: 0.5,
    };
    const { value } = await call("POST", "/runs", { kind: "goal", plan: PLAN, workspace, ...question });
    expect(await ended(String(value.id))).toMatchObject({ status: "failed", verdict: "failed" });
    const { events } = (await call("GET", `/runs/${value.id}/events`)).value as { events: { data: object }[] };
    expect(events[0]?.data).toMatchObject({
      request: { checks: [{ source: "user" }, { source: "user" }], mayChange: ["t/**"], minStrength: 0.5 },
    });
    const wrong = { kind: "goal", plan: PLAN, workspace, checks: [{ type: "lint" }] };
    expect((await call("POST", "/runs", wrong)).status).toBe(400);
    expect((await call("POST", "/verify", { workspace })).value).toMatchObject({ error: { code: "input.invalid" } });
    expect((await call("POST", "/verify", { workspace, checks: ["cat calc.py"] })).value).toMatchObject({
      verdict: "passed",
    });
  });

  it("deliver files that run by themselves only where the request agrees to it", async () => {
    const workspace = place.makeWorkspace({ "a.txt": "a" });
    const made = await call("POST", "/execute", { code: "open('.rvmrc', 'w').write('x')", workspace });
    const path = `/runs/${made.value.runId}/apply`;
    expect(await call("POST", path, {})).toMatchObject({
      status: 403,
      value: { error: { code: "policy.approval_denied", autorun: [{ path: ".rvmrc" }] } },
    });
    expect((await call("POST", path, { allowAutorun: "yes" })).status).toBe(400);
    expect((await call("POST", path, { allowAutorun: true })).value).toMatchObject({ outcome: "applied" });
    expect(readFileSync(join(workspace, ".rvmrc"), "utf8")).toBe("x");
  });

  it("can be cancelled while they are under way, and not afterwards", async () => {
    const { value } = await call("POST", "/runs", { kind: "exec", code: "import time; time.sleep(60)" });
    expect((await call("POST", `/runs/${value.id}/cancel`)).status).toBe(202);
    expect(await ended(String(value.id))).toMatchObject({ status: "cancelled" });
    expect((await call("POST", `/runs/${value.id}/cancel`)).status).toBe(400);
  });

  it("can be cancelled also where another process holds them", async () => {
    const { home } = place.server.dock;
    const elsewhere = await createDock({ home, warm: 0 });
    const started = Promise.withResolvers<string>();
    const answers = [{ text: "```python\nimport time\ntime.sleep(60)\n```" }];
    const script = join(place.directory, "wait.json");
    writeFileSync(script, JSON.stringify({ answers }));
    const task = elsewhere.executePythonTask("Wait", {
      model: `scripted:${script}`,
      onEvent: ({ runId }) => started.resolve(runId),
    });
    const id = await started.promise;
    expect((await call("POST", `/runs/${id}/cancel`)).value).toEqual({ runId: id, asked: "cancel" });
    expect(await task).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    expect(await ended(id)).toMatchObject({ status: "cancelled" });
    await elsewhere.close();
  });

  it("are listed page by page", async () => {
    for (const code of ["1", "2", "3"]) await call("POST", "/execute", { code });
    const first = await call("GET", "/runs?limit=2");
    const second = await call("GET", `/runs?limit=2&cursor=${first.value.cursor}`);
    const ids = [first, second].flatMap(({ value }) => (value.runs as { id: string }[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
    expect([...ids].sort().reverse()).toEqual(ids);
    expect((await call("GET", "/runs?limit=0")).status).toBe(400);
    expect((await call("GET", "/runs?cursor=nonsense")).status).toBe(400);
  });

  it("have a model write Python for an instruction, at once and in the background", async () => {
    const task = await call("POST", "/tasks", { instruction: "What is six times seven?" });
    expect(task).toMatchObject({ status: 200, value: { ok: true, result: 42, output: "42\n" } });
    const { value } = await call("POST", "/runs", { kind: "workflow", instructions: ["one", "two"] });
    expect(await ended(String(value.id))).toMatchObject({ kind: "workflow", status: "succeeded" });
  });
});

describe("policies and profiles", () => {
  it("show what holds, and say whether a request may ask for more", async () => {
    const { value } = await call("GET", "/policies");
    expect(value.effective).toMatchObject({ network: { allow: [] } });
    const less = await call("POST", "/policies/check", { policy: { limits: { wallSeconds: 1 } } });
    expect(less.value).toMatchObject({ ok: true, effective: { limits: { wallSeconds: 1 } } });
    const more = await call("POST", "/policies/check", { policy: { network: { allow: ["example.org:443"] } } });
    expect(more.value).toMatchObject({ ok: false, error: { code: "policy.network_denied" } });
  });

  it("take a profile from a proposal to its approval", async () => {
    const workspace = place.makeWorkspace({ "a.py": "print(1)\n" });
    const proposed = await call("POST", "/api/profile/propose", { workspace, text: "Use tabs.", model: false });
    expect(proposed.value).toMatchObject({ profile: { status: "proposed", text: "Use tabs." } });
    expect((await call("POST", "/api/profile/approve", { workspace })).value).toMatchObject({
      profile: { status: "approved" },
    });
    const found = await call("GET", `/api/profile?workspace=${encodeURIComponent(workspace)}`);
    expect(found.value).toMatchObject({ approved: { text: "Use tabs." }, proposed: null });
    expect((await call("POST", "/api/profile/reject", { workspace })).value).toMatchObject({
      profile: { status: "rejected" },
    });
  });
});

describe("the server about itself", () => {
  it("says that it is well without a token, and what it did only with one", async () => {
    const { url } = place.server;
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: "ok" });
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const { text } = await call("GET", "/metrics");
    expect(text).toMatch(/drydock_http_requests_total\{operation="execute",status="200"\} \d/);
  });

  it("shows a page that calls nobody else", async () => {
    const page = await fetch(`${place.server.url}/docs`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; connect-src 'self'");
    expect(await page.text()).not.toMatch(/https?:\/\//);
  });

  it("answers the three sentences of MCP's beginning", async () => {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    const headers = { accept: "application/json, text/event-stream" };
    const answer = await call("POST", "/mcp", body, headers);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"serverInfo"')]);
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    expect((await fetch(`${place.server.url}/mcp`, init)).status).toBe(401);
  });
});
