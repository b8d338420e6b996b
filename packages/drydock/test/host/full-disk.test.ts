import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SOURCE_FLAGS } from "../../src/base/testing/child-flags.ts";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";

const home = useTemporaryDirectory();
const PLUGIN = join(import.meta.dirname, "../../../runner-sdk/testing/behaviours");

/** A dock on the disk, with a runner; `fill` leaves no room on it, and `clear` makes room again. */
const OPEN = `
import { appendFileSync, rmSync } from "node:fs";
import { createDock } from "drydock";
const home = process.env.DRYDOCK_HOME;
const dock = await createDock({ home, warm: 1 });
await dock.host.plugins.add(${JSON.stringify(PLUGIN)});
await dock.host.agents.add({ name: "behave", runner: "plugin:drydock-test/behaviours/behave" });
await dock.host.agents.bind({ agent: "behave" });
const fill = () => {
  for (const size of [65536, 4096, 512]) try { for (;;) appendFileSync(home + "/ballast", Buffer.alloc(size)); } catch {}
};
const clear = () => rmSync(home + "/ballast");
const facts = {};`;
const CLOSE = `
facts.audit = (await dock.audit.verify()).ok;
await dock.close();
console.log(JSON.stringify(facts));`;

/** What a program says that runs on a small disk. */
function runOnSmallDisk(program: string): unknown {
  const child = [process.execPath, ...SOURCE_FLAGS, "--input-type=module", "-e", `${OPEN}${program}${CLOSE}`];
  const { stdout, stderr } = spawnSync(
    "unshare",
    ["-m", "sh", "-c", 'mount -t tmpfs -o size=4m none "$DRYDOCK_HOME" && exec "$@"', "sh", ...child],
    { cwd: import.meta.dirname, env: { ...process.env, DRYDOCK_HOME: home }, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

describe.runIf(process.getuid?.() === 0)("a disk that fills up", () => {
  it("in the middle of a run: its end is written when there is room again", () => {
    const facts = runOnSmallDisk(`
const say = (text, options) =>
  dock.host.send({ type: "message.received", conversation: { conversation_id: text }, input: { text } }, options);
facts.before = (await say("message-only before")).ok;
const stop = new AbortController();
const running = say("wait", { signal: stop.signal, onDelta() { fill(); stop.abort(); } });
facts.during = await running.then((result) => result.kind, (error) => error.code);
facts.next = await say("message-only next").then((result) => result.kind, (error) => error.code);
clear();
for (let round = 0; round < 100; round++) {
  const { runs } = await dock.runs.list({ status: "running", kind: "runner" });
  facts.open = runs.length;
  if (runs.length === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
facts.statuses = (await dock.runs.list({ kind: "runner" })).runs.map(({ status }) => status);
facts.after = (await say("message-only after")).ok;`);
    expect(facts).toEqual({
      ...{ before: true, during: "ledger.unavailable", next: "ledger.unavailable", open: 0, after: true, audit: true },
      statuses: ["cancelled", "succeeded"],
    });
  });

  it("in the middle of a run that a platform carries out: a result that failed is carried out when it is sent again", () => {
    const facts = runOnSmallDisk(`
const conversation = { conversation_id: "shop" };
const event = { type: "message.received", conversation, input: { text: "hi" } };
const { runId, token } = await dock.host.runs.create({ agent: "behave", event });
const say = (sequence, content) => ({ sequence, type: "message.completed", data: { message: { role: "assistant", content } } });
const append = (...results) => dock.host.runs.append(runId, { token, results });
facts.first = (await append(say(1, "one"))).applied;
fill();
const large = say(2, "two ".repeat(50_000));
facts.full = await append(large).then(({ applied }) => applied, ({ code }) => code);
facts.still = await append(large).then(({ applied }) => applied, ({ code }) => code);
clear();
const { applied, repeated } = await append(large);
facts.again = [applied, repeated];
facts.ended = (await dock.host.runs.finalize(runId, { token, status: "completed" })).ok;
const events = await dock.runs.events(runId);
facts.sent = events.filter(({ type }) => type === "message.sent").length;
const [{ id }] = (await dock.host.conversations.list({ identity: conversation })).conversations;
facts.roles = (await dock.host.conversations.messages(id, { direction: "forward" })).messages.map(({ role }) => role);`);
    expect(facts).toEqual({
      ...{ first: 1, full: "ledger.unavailable", still: "ledger.unavailable", again: [1, 0], ended: true, sent: 2 },
      ...{ roles: ["user", "assistant", "assistant"], audit: true },
    });
  });
});
