import { describe, expect, it } from "vitest";
import { openTestServer } from "../testing/open-test-server.ts";

const place = openTestServer({ policy: "version: 1\nlimits: { concurrency: 3 }\nsessions: { live: 5 }\n" });
const as = (token: unknown) => ({ authorization: `Bearer ${token}` });

describe("the operations of a server", () => {
  it("say what is under way and ready, and what ran over time", async () => {
    expect((await place.call("GET", "/status")).value).toMatchObject({
      ...{ sandbox: { running: 0, waiting: 0, pools: [] }, concurrency: 3, sessions: { live: 0, limit: 5 } },
      ...{ backgroundRuns: 0, calls: { running: 0, waiting: 0 }, streams: 0 },
    });
    const session = await place.server.dock.sessions.open();
    const over = new AbortController();
    const slow = Array.from({ length: 4 }, () =>
      place.server.dock.exec({ code: "import time; time.sleep(600)", signal: over.signal }),
    );
    await expect
      .poll(async () => (await place.call("GET", "/status")).value.sandbox)
      .toMatchObject({ running: 3, waiting: 1 });
    const { value } = await place.call("GET", "/status");
    expect(value).toMatchObject({ sessions: { live: 1, limit: 5 } });
    expect((value.sandbox as { pools: unknown[] }).pools).toEqual([
      { name: "python", ready: expect.any(Number), size: 2 },
    ]);
    over.abort();
    await Promise.allSettled(slow);
    await session.close();
    await place.server.dock.exec({ code: "1/0" });
    const { periods, failures } = (await place.call("GET", "/runs/history?periods=2")).value as {
      periods: { started: number }[];
      failures: { errorCode: string; runs: number }[];
    };
    expect(periods.map(({ started }) => started)).toEqual([0, 5]);
    expect(failures).toMatchObject([{ errorCode: "code.exception", runs: 1 }]);
    const { events } = (await place.call("GET", "/audit/events?text=ZeroDivisionError&groups=run,output")).value as {
      events: { type: string }[];
    };
    expect(events.map(({ type }) => type)).toContain("run.failed");
  });

  it("say what takes space, and remove what is old only when they are told to", async () => {
    const { runId } = await place.server.dock.exec({ code: "print('old')" });
    const usage = (await place.call("GET", "/usage")).value as { parts: { name: string; bytes: number }[] };
    expect(usage.parts.find(({ name }) => name === "ledger")?.bytes).toBeGreaterThan(0);
    const before = new Date(Date.now() + 60_000).toISOString();
    const plan = await place.call("POST", "/prune", { before, dryRun: true });
    expect(plan.value).toMatchObject({ dryRun: true, checkpoint: null, freedBytes: 0 });
    expect((await place.call("GET", `/runs/${runId}`)).status).toBe(200);
    const done = await place.call("POST", "/prune", { before, dryRun: false });
    expect(done.value).toMatchObject({ dryRun: false, runs: plan.value.runs });
    expect((await place.call("GET", `/runs/${runId}`)).status).toBe(404);
    expect((await place.call("GET", "/audit/verify")).value).toMatchObject({ ok: true });
    expect((await place.call("POST", "/prune", { before: "2026-01-01" })).status).toBe(400);
  });

  it("make tokens that look or run, never one that opens everything, and revoke them", async () => {
    const made = await place.call("POST", "/tokens", { name: "screen", scope: "read" });
    expect([made.status, made.value]).toMatchObject([201, { name: "screen", scope: "read" }]);
    const { id, token } = made.value;
    expect((await place.call("GET", "/status", undefined, as(token))).status).toBe(200);
    for (const [method, path, body] of [
      ["GET", "/tokens", undefined],
      ["POST", "/tokens", { name: "more", scope: "read" }],
      ["DELETE", `/tokens/${id}`, undefined],
      ["POST", "/prune", { before: new Date().toISOString(), dryRun: true }],
      ["POST", "/doctor", undefined],
    ] as const) {
      expect([path, (await place.call(method, path, body, as(token))).status]).toEqual([path, 403]);
    }
    expect((await place.call("POST", "/tokens", { name: "all", scope: "admin" })).status).toBe(400);
    expect((await place.call("POST", "/tokens", { name: "screen", scope: "run" })).status).toBe(400);
    const list = await place.call("GET", "/tokens");
    expect(list.value).toEqual({ tokens: [{ id, name: "screen", scope: "read", createdAt: expect.any(String) }] });
    expect(list.text).not.toContain(String(token));
    expect((await place.call("DELETE", `/tokens/${id}`)).status).toBe(200);
    expect((await place.call("GET", "/status", undefined, as(token))).status).toBe(401);
  });

  it("try out what the machine can do", async () => {
    const { value } = await place.call("POST", "/doctor");
    const findings = value.findings as { name: string; state: string }[];
    expect(findings.find(({ name }) => name === "ledger")?.state).toBe("ok");
    expect(value.level).toMatch(/^(cgroups|rlimits|landlock|none)$/);
  });
});
