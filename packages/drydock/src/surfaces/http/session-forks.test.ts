import type { SessionInfo } from "@drydock/protocol";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { loadHttpTokens } from "../../app/index.ts";
import { eventually } from "../../base/testing/eventually.ts";
import { openTestServer } from "./testing/open-test-server.ts";

/** So many sessions at once, and so many steps in each. */
const LIVE = 10;
const STEPS = 6;
const place = openTestServer({ policy: `version: 1\nsessions:\n  live: ${LIVE}\n  tasks: ${STEPS}\n` });
const { createHttpToken } = await loadHttpTokens();

const open = async () => String((await place.call("POST", "/sessions", {})).value.sessionId);
const fork = (id: string, body: unknown, headers = {}) => place.call("POST", `/sessions/${id}/fork`, body, headers);
const list = async () => (await place.call("GET", "/sessions")).value.sessions as SessionInfo[];
const idsOf = (value: Record<string, unknown>) => (value.sessions as SessionInfo[]).map(({ sessionId }) => sessionId);
const exec = async (id: string, code: string, more = {}) =>
  (await place.call("POST", `/sessions/${id}/exec`, { code, ...more })).value as Record<string, unknown> & {
    error: { code: string } | null;
  };

/** A step that others have to wait for: it runs when this resolves. */
async function beginStep(id: string) {
  const step = exec(id, "import time\ntime.sleep(1.5)\n3");
  expect(await eventually(async () => (await place.call("GET", `/sessions/${id}`)).value.steps === 1)).toBe(true);
  return { step };
}

afterEach(async () => {
  for (const { sessionId } of await list()) await place.call("DELETE", `/sessions/${sessionId}`);
});

describe("forking a session over HTTP", () => {
  it.each([0, -1, 1.5, "2", null, [2], true, 2 ** 53, 1e300, -0.5])(
    "%j times is refused as bad input",
    async (count) => {
      const id = await open();
      const { status, value } = await fork(id, { count });
      expect([status, value]).toMatchObject([400, { error: { code: "input.invalid" } }]);
      expect(await list()).toHaveLength(1);
    },
  );

  it.each([
    [1001, 400, "input.invalid"],
    [1e9, 400, "input.invalid"],
    [1000, 429, "session.limit"],
    [LIVE, 429, "session.limit"],
  ])("%i times is refused, and nothing of it is put on record", async (count, status, code) => {
    const id = await open();
    const countRuns = async () => ((await place.call("GET", "/runs?limit=100")).value.runs as unknown[]).length;
    const before = await countRuns();
    expect(await fork(id, { count })).toMatchObject({ status, value: { error: { code } } });
    expect(await list()).toHaveLength(1);
    expect(await countRuns()).toBe(before);
    expect(await exec(id, "1 + 1")).toMatchObject({ result: 2 });
  });

  it("by many callers at once makes no more sessions than the policy allows, and each gets all of his or none", async () => {
    const ids = [await open(), await open()];
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => fork(ids[at % 2] as string, { count: 3 })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.map(({ value }) => idsOf(value).length)).toEqual([3, 3]);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
    expect(await list()).toHaveLength(8);
    expect(new Set(made.flatMap(({ value }) => idsOf(value))).size).toBe(6);
  });

  it("needs a token that may run code, and a session that is there", async () => {
    const id = await open();
    const { token } = await createHttpToken(place.server.dock.home, { scope: "read", name: "" });
    const as = (shown: string) => fork(id, {}, { authorization: `Bearer ${shown}` });
    expect((await as(token)).status).toBe(403);
    expect((await as("ddt_wrong")).status).toBe(401);
    for (const wrong of ["ses_nobody", `${id}x`, encodeURIComponent(`../sessions/${id}`), "%00"]) {
      expect([400, 404]).toContain((await fork(wrong, {})).status);
    }
    await place.call("DELETE", `/sessions/${id}`);
    expect(await fork(id, {})).toMatchObject({ status: 404, value: { error: { code: "session.not_found" } } });
    expect(await list()).toEqual([]);
  });

  it("while it is closed gives forks that last or a refusal, and nothing in between", async () => {
    const id = await open();
    const [forked, closed] = await Promise.all([fork(id, { count: 3 }), place.call("DELETE", `/sessions/${id}`)]);
    expect(closed.status).toBe(200);
    const expected = forked.status === 201 ? idsOf(forked.value) : [];
    expect((await list()).map(({ sessionId }) => sessionId)).toEqual(expected);
    for (const each of expected) expect(await exec(each, "2")).toMatchObject({ result: 2 });
  });

  it("with a caller that leaves while it waits for its turn makes no fork that nobody knows", async () => {
    const id = await open();
    const ask = (leaving: AbortController) =>
      place.fetch(`/sessions/${id}/fork`, {
        ...{ method: "POST", headers: { "content-type": "application/json" }, body: '{"count":3}' },
        signal: leaving.signal,
      });
    const { step } = await beginStep(id);
    const callers = [1, 2, 3].map(() => new AbortController());
    const asked = Promise.allSettled(callers.map(ask));
    setTimeout(() => {
      for (const each of callers) each.abort();
    }, 300);
    expect((await asked).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await step).toMatchObject({ result: 3 });
    // Behind them in the queue.
    expect(await exec(id, "4")).toMatchObject({ result: 4 });
    expect(await list()).toHaveLength(1);
  });

  it("with a caller that leaves and asks again with the same key gives it the forks that were made", async () => {
    const id = await open();
    const key = { "idempotency-key": "left", "content-type": "application/json" };
    const leaving = new AbortController();
    const request = { method: "POST", headers: key, body: '{"count":2}', signal: leaving.signal };
    const left = place.fetch(`/sessions/${id}/fork`, request).catch(() => null);
    setTimeout(() => leaving.abort(), 40);
    await left;
    expect(idsOf((await fork(id, { count: 2 }, key)).value)).toHaveLength(2);
    expect(await list()).toHaveLength(3);
  });

  it("again with the same key makes no more of them", async () => {
    const id = await open();
    const key = { "idempotency-key": "fork-once" };
    const [first, second] = await Promise.all([fork(id, { count: 2 }, key), fork(id, { count: 2 }, key)]);
    expect(idsOf(first.value)).toEqual(idsOf(second.value));
    expect(await list()).toHaveLength(3);
    expect((await fork(id, { count: 3 }, key)).status).toBe(409);
  });
});

describe("a fork over HTTP", () => {
  it("shares neither variables nor files with its siblings, its session and forks of its own", async () => {
    const id = await open();
    await exec(id, "import os\nx = ['mine']\nopen('/work/a', 'w').write('mine')\nos.environ['A'] = 'mine'");
    const [one = "", other = ""] = idsOf((await fork(id, { count: 2 })).value);
    const [inner = ""] = idsOf((await fork(one, {})).value);
    const spoil = "x.append('evil')\nopen('/work/a', 'w').write('evil')\nos.environ['A'] = 'evil'\nos.chdir('/tmp')\n1";
    expect(await exec(one, spoil)).toMatchObject({ error: null });
    const look = "[x, open('/work/a').read(), os.environ['A'], os.getcwd()]";
    for (const each of [id, other, inner]) {
      expect(await exec(each, look)).toMatchObject({ result: [["mine"], "mine", "mine", "/work"] });
    }
    expect(await exec(one, look)).toMatchObject({ result: [["mine", "evil"], "evil", "evil", "/tmp"] });
  });

  it("has no more steps left than its session had, however often it is forked", async () => {
    let id = await open();
    for (let step = 0; step < STEPS; step++) {
      expect(await exec(id, `${step}`)).toMatchObject({ error: null });
      [id = ""] = idsOf((await fork(id, {})).value);
    }
    expect((await exec(id, "1")).error).toMatchObject({ code: "session.task_limit" });
  });

  it("has the limits that its session was opened with", async () => {
    const { value } = await place.call("POST", "/sessions", { policy: { limits: { memoryMb: 128 } } });
    const [id = ""] = idsOf((await fork(String(value.sessionId), {})).value);
    expect((await exec(id, "x = b'x' * (300 << 20)\nlen(x)")).error).toMatchObject({ code: "limit.memory" });
  });
});

describe("session_fork over MCP", () => {
  it("is held to the same limits, and to the same scopes", async () => {
    const { url, token, dock } = place.server;
    const client = new Client({ name: "attacker", version: "1" });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    const call = async (args: Record<string, unknown>) =>
      (await client.callTool({ name: "session_fork", arguments: args })).structuredContent as {
        error: { code: string } | null;
        sessions?: SessionInfo[];
      };
    const sessionId = await open();
    for (const count of [0, -1, 1.5, "9", 1e9, 1001, null]) {
      expect((await call({ sessionId, count })).error).toMatchObject({ code: "input.invalid" });
    }
    expect((await call({ sessionId, count: LIVE })).error).toMatchObject({ code: "session.limit" });
    expect((await call({ sessionId: "ses_nobody" })).error).toMatchObject({ code: "session.not_found" });
    expect((await call({ sessionId, count: 2 })).sessions).toHaveLength(2);
    expect(await list()).toHaveLength(3);
    const { step } = await beginStep(sessionId);
    const leaving = new AbortController();
    const args = { sessionId, count: 3 };
    const left = client.callTool({ name: "session_fork", arguments: args }, { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 300);
    await expect(left).rejects.toThrow();
    expect(await step).toMatchObject({ result: 3 });
    expect(await exec(sessionId, "4")).toMatchObject({ result: 4 });
    expect(await list()).toHaveLength(3);
    await client.close();
    const { token: reader } = await createHttpToken(dock.home, { scope: "read", name: "" });
    expect((await place.call("POST", "/mcp", {}, { authorization: `Bearer ${reader}` })).status).toBe(403);
  });
});
