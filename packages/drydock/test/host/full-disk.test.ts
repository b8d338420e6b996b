import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SOURCE_FLAGS } from "../../src/base/testing/child-flags.ts";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";

const home = useTemporaryDirectory();
const PLUGIN = join(import.meta.dirname, "../../../runner-sdk/testing/behaviours");

/** Fills the disk in the middle of a run, and makes room again. */
const PROGRAM = `
import { appendFileSync, rmSync } from "node:fs";
import { createDock } from "drydock";
const home = process.env.DRYDOCK_HOME;
const dock = await createDock({ home, warm: 1 });
await dock.host.plugins.add(${JSON.stringify(PLUGIN)});
await dock.host.agents.add({ name: "behave", runner: "plugin:drydock-test/behaviours/behave" });
await dock.host.agents.bind({ agent: "behave" });
const say = (text, options) =>
  dock.host.send({ type: "message.received", conversation: { conversation_id: text }, input: { text } }, options);
const fill = () => {
  for (const size of [65536, 4096, 512]) try { for (;;) appendFileSync(home + "/ballast", Buffer.alloc(size)); } catch {}
};
const facts = { before: (await say("message-only before")).ok };
const stop = new AbortController();
const running = say("wait", { signal: stop.signal, onDelta() { fill(); stop.abort(); } });
facts.during = await running.then((result) => result.kind, (error) => error.code);
facts.next = await say("message-only next").then((result) => result.kind, (error) => error.code);
rmSync(home + "/ballast");
for (let round = 0; round < 100; round++) {
  const { runs } = await dock.runs.list({ status: "running", kind: "runner" });
  facts.open = runs.length;
  if (runs.length === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
facts.statuses = (await dock.runs.list({ kind: "runner" })).runs.map(({ status }) => status);
facts.after = (await say("message-only after")).ok;
facts.audit = (await dock.audit.verify()).ok;
await dock.close();
console.log(JSON.stringify(facts));`;

it.runIf(process.getuid?.() === 0)(
  "a disk that fills up in the middle of a run: its end is written when there is room again",
  () => {
    const child = [process.execPath, ...SOURCE_FLAGS, "--input-type=module", "-e", PROGRAM];
    const { stdout, stderr } = spawnSync(
      "unshare",
      ["-m", "sh", "-c", 'mount -t tmpfs -o size=4m none "$DRYDOCK_HOME" && exec "$@"', "sh", ...child],
      { cwd: import.meta.dirname, env: { ...process.env, DRYDOCK_HOME: home }, encoding: "utf8" },
    );
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      ...{ before: true, during: "ledger.unavailable", next: "ledger.unavailable", open: 0, after: true, audit: true },
      statuses: ["cancelled", "succeeded"],
    });
  },
);
