import { describe, expect, it } from "vitest";
import { openTestServer } from "../testing/open-test-server.ts";

const place = openTestServer({ warm: 0 });
const { call } = place;

describe("runs in a list", () => {
  it("are found by words, kind, status and time, and counted", async () => {
    const since = new Date().toISOString();
    await call("POST", "/execute", { code: "print('needle')" });
    await call("POST", "/execute", { code: "1 / 0" });
    const query = new URLSearchParams({ text: "NEEDLE", kind: "exec,goal", status: "succeeded", since });
    const found = (await call("GET", `/runs?${query}`)).value as { runs: { durationMs: number }[] };
    expect(found.runs).toMatchObject([{ title: expect.stringContaining("needle"), costUsd: null, agent: null }]);
    expect(found.runs[0]?.durationMs).toBeGreaterThanOrEqual(0);
    const { value } = await call("GET", `/runs/counts?since=${since}`);
    expect(value).toMatchObject({ total: 2, complete: true });
    expect(value.counts).toContainEqual({ kind: "exec", status: "failed", verdict: "unverified", runs: 1 });
    expect((await call("GET", `/runs/counts?until=${since}`)).value).toMatchObject({ total: 0, counts: [] });
  });

  it("are refused with what is wrong with the question", async () => {
    for (const query of ["status=done", "kind=exec,", "since=yesterday", `text=${"x".repeat(201)}`, "colour=red"]) {
      const { status, value } = await call("GET", `/runs?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(value).toMatchObject({ error: { code: "input.invalid", hint: expect.any(String) } });
    }
  });
});

describe("events of a run", () => {
  it("come in pages from either end, and by group", async () => {
    const { value } = await call("POST", "/execute", { code: "print(1)" });
    const path = `/runs/${value.runId}/events`;
    const all = (await call("GET", path)).value as { events: { seq: number; type: string }[]; total: number };
    expect(all).toMatchObject({ total: all.events.length, before: null, after: null });
    const last = (await call("GET", `${path}?from=last&limit=1`)).value;
    expect(last).toMatchObject({ events: [{ type: "run.succeeded" }], before: all.total - 1, after: null });
    const output = (await call("GET", `${path}?groups=output,network`)).value;
    expect(output).toMatchObject({ events: [{ type: "output.recorded" }] });
    expect((await call("GET", `${path}?groups=colour`)).status).toBe(400);
    expect((await call("GET", "/runs/run_none/events?from=last")).status).toBe(404);
  });
});
