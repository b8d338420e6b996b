import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { createDock } from "drydock";
import { expect } from "vitest";
import { SOURCE_FLAGS } from "../../../src/base/testing/child-flags.ts";

const PROGRAM = join(import.meta.dirname, "die-at-commit-child.ts");
const PLUGIN = join(import.meta.dirname, "../../../../runner-sdk/testing/behaviours");
const TERMINAL = /^run\.(succeeded|failed|cancelled|lost)$/;

/** Installs the plugin, and gives the number of commits that one event takes. */
export async function prepareHome(home: string): Promise<number> {
  const dock = await createDock({ home, warm: 1 });
  await dock.host.plugins.add(PLUGIN);
  await dock.host.agents.add({ name: "behave", runner: "plugin:drydock-test/behaviours/behave" });
  await dock.host.agents.bind({ agent: "behave" });
  await dock.close();
  const { stdout, stderr, status } = start(home, 0);
  expect([status, stderr]).toEqual([0, ""]);
  return Number(stdout);
}

/** The host dies after this commit; the next one ends what it left, once, and handles the event where nothing became of it. */
export async function killAt(home: string, commit: number): Promise<void> {
  const { signal } = start(home, commit);
  expect([commit, signal]).toEqual([commit, "SIGKILL"]);
  const dock = await createDock({ home, warm: 1 });
  try {
    const { runs } = await dock.runs.list({ limit: 1, kind: "runner" });
    const left = runs.find(({ title }) => title.includes("state_set"));
    const before = left ? (await dock.runs.events(left.id)).map(({ type }) => type) : [];
    if (left) {
      const data = JSON.stringify((await dock.runs.events(left.id))[0]?.data);
      // Of an event that died before its run, an earlier run is the newest.
      if (data.includes(`event-${commit}"`))
        expect([commit, before.filter((type) => TERMINAL.test(type)).length]).toEqual([commit, 1]);
    }
    const again = await dock.host.send({
      type: "message.received",
      source_event_id: `event-${commit}`,
      conversation: { conversation_id: `conversation-${commit}` },
      input: { text: "message-only again" },
    });
    // Either its run is on record, and the event is not handled again, or it is handled now.
    if (again.kind === "duplicate") {
      expect(again.runId).toMatch(/^run_/);
      const status = (await dock.runs.get(again.runId ?? "")).status;
      expect([commit, status]).toEqual([commit, expect.stringMatching(/^(lost|succeeded)$/)]);
    } else expect([commit, again]).toMatchObject([commit, { kind: "answered", ok: true }]);
    expect((await dock.runs.list({ status: "running" })).runs.filter(({ kind }) => kind === "runner")).toEqual([]);
    expect(await dock.audit.verify()).toMatchObject({ ok: true });
  } finally {
    await dock.close();
  }
}

function start(home: string, commit: number) {
  return spawnSync(process.execPath, [...SOURCE_FLAGS, PROGRAM, home, String(commit)], { encoding: "utf8" });
}
