import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { runMixedLoad } from "./testing/mixed-load.ts";
import { openTestServer } from "./testing/open-test-server.ts";

const SECONDS = 600;
const place = openTestServer({ limits: { stallMs: 5000 } });

setFlagsFromString("--expose-gc");
globalThis.gc = runInNewContext("gc") as typeof globalThis.gc;

describe("ten minutes of mixed load with faults", () => {
  it("leave memory flat and nothing lost", async () => {
    const { wrong, calls, heapBytes } = await runMixedLoad(place, SECONDS);
    expect(wrong).toEqual([]);
    expect(calls).toBeGreaterThan(SECONDS * 5);
    expect(heapBytes.after).toBeLessThan(heapBytes.before * 1.25 + 8 * 1024 * 1024);
    const { dock } = place.server;
    while ((await dock.runs.list({ status: "running", limit: 1 })).runs.length > 0) await sleep(50);
    expect(await dock.audit.verify()).toMatchObject({ ok: true });
  });
});
