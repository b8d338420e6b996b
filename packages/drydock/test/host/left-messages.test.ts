import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createDock } from "drydock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SOURCE_FLAGS } from "../../src/base/testing/child-flags.ts";
import { type Caller, openCaller } from "./testing/open-caller.ts";

let caller: Caller;
const CHILD = join(import.meta.dirname, "testing/queue-and-wait-child.ts");

beforeAll(async () => {
  caller = await openCaller();
});
afterAll(() => caller.close());

it("a message that was queued for a run of a host that was killed becomes a run of its own, once", async () => {
  const agent = await caller.addAgent({ grants: { stateScopes: ["conversation"] } });
  const text = JSON.stringify({ gate: "never" });
  const child = spawn(process.execPath, [...SOURCE_FLAGS, CHILD, caller.home, agent.name, text], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  const [kind, eventId = ""] = String(printed).trim().split(" ");
  expect(kind).toBe("absorbed");
  child.kill("SIGKILL");
  await once(child, "exit");

  const { host, runs } = caller.dock;
  const other = await createDock({ home: caller.home, warm: 1 });
  expect((await host.status()).unhandled).toBe(1);
  const before = await host.events.get(eventId);
  expect(before).toMatchObject({ outcome: "steering" });
  expect(await runs.get(before.runId ?? "")).toMatchObject({ status: "lost" });
  const numbers = await Promise.all([host.resume(), other.host.resume()]);
  expect(numbers.toSorted()).toEqual([0, 1]);
  const statusOf = async () => {
    const { outcome, runId } = await host.events.get(eventId);
    return outcome === "run" && (await runs.get(runId ?? "")).status;
  };
  await expect.poll(statusOf, { timeout: 20_000 }).toBe("succeeded");
  expect([(await host.status()).unhandled, await host.resume()]).toEqual([0, 0]);
  const all = (await runs.list({ kind: "runner" })).runs;
  expect(all.map(({ status }) => status).toSorted()).toEqual(["lost", "succeeded"]);
  expect(await caller.dock.audit.verify()).toMatchObject({ ok: true });
  await other.close();
});
