import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runMixedLoad } from "./testing/mixed-load.ts";
import { openTestServer } from "./testing/open-test-server.ts";

const SECONDS = 4;
const place = openTestServer();

describe("mixed load with faults", () => {
  it("answers all as it should, leaves nothing running, and loses nothing on record", async () => {
    const report = await runMixedLoad(place, SECONDS);
    expect(report.wrong).toEqual([]);
    expect(report.calls).toBeGreaterThan(20);
    const { dock } = place.server;
    while ((await dock.runs.list({ status: "running", limit: 1 })).runs.length > 0) await sleep(50);
    expect(await dock.audit.verify()).toMatchObject({ ok: true });
    expect((await place.call("GET", "/metrics")).text).toMatch(/^drydock_http_streams 0$/m);
    expect(dock.sessions.totals().live).toBe(0);
  }, 60_000);
});
