import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const SOURCE = join(import.meta.dirname, "../../../runner-sdk/testing/behaviours");
const test = openTestDock();
let other: Dock;

beforeAll(async () => {
  await test.dock.host.plugins.add(SOURCE);
  await test.dock.host.agents.add({ name: "behave", runner: "plugin:drydock-test/behaviours/behave" });
  await test.dock.host.agents.bind({ agent: "behave" });
  other = await createDock({ home: test.home, warm: 1 });
});
afterAll(() => other?.close());

const event = (id: string, text: string) => ({
  ...{ type: "message.received", source_event_id: id, conversation: { conversation_id: id } },
  input: { text },
});

it("an event that reaches both hosts of a home at once is handled by one of them", async () => {
  for (let round = 0; round < 5; round++) {
    const both = [test.dock, other].map((dock) => dock.host.send(event(`same-${round}`, "message-only hi")));
    const kinds = (await Promise.all(both)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(["answered", "duplicate"]);
  }
});

it("a host that opens the home does not end what another one has under way", async () => {
  const started = Promise.withResolvers<string>();
  const stop = new AbortController();
  const waiting = test.dock.host.send(event("long", "wait"), { onStarted: started.resolve, signal: stop.signal });
  const runId = await started.promise;
  const third = await createDock({ home: test.home, warm: 0 });
  expect(await third.runs.get(runId)).toMatchObject({ status: "running" });
  // And it can be cancelled from there.
  await third.runs.cancel(runId);
  expect(await waiting).toMatchObject({ kind: "answered", error: { code: "run.cancelled" } });
  await third.close();
});

it("a plugin that one host replaces or removes is another one for the other host, from the next event on", async () => {
  expect(await other.host.send(event("v1", "call get_host_version"))).toMatchObject({ ok: true });
  const next = join(test.directory, "next");
  cpSync(SOURCE, next, { recursive: true });
  writeFileSync(
    join(next, "behaviours.ts"),
    'import { say } from "./wire.ts";\nexport const BEHAVIOURS = { call: (run) => say(run, "new") };\n',
  );
  await test.dock.host.plugins.add(next);
  expect(await other.host.send(event("v2", "call get_host_version"))).toMatchObject({ text: "new" });
  await test.dock.host.plugins.remove("drydock-test/behaviours");
  expect(await other.host.send(event("v3", "call get_host_version"))).toMatchObject({
    error: { code: "runner.unavailable", message: expect.stringContaining("not installed") },
  });
});
