import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Approval, CapabilityOutcome } from "@drydock/protocol";
import type { CapabilityContext } from "drydock";
import { expect, it } from "vitest";
import { describeExtension, openExtensionDock, writeExtension } from "../testing/extension-dock.ts";

const box = describeExtension(
  "box",
  `{ tools: [cat, echo, sleep], paths: { read: ["docs/**"] } }`,
  `      - name: drop
        description: Drops something.
        runner: exec.echo
        risk: high
        arguments: [{ name: what, required: true }]
        flags: [{ name: note }, { name: force, type: boolean }, { name: tag, repeat: true }]
      - name: where
        description: Tells where it is.
        runner: exec.cat
        risk: high
        args: [docs/name]
`,
);
const WAIT_MS = 1000;
const test = openExtensionDock({ extensions: [box], policy: "extensions: { concurrency: 1 }\n" });

it("writes down no secret that is to wait, nor a hash by which it could be guessed", async () => {
  await test.dock.extensions.secrets.set("PIN", "123456");
  const outcome = await test.call("/box drop 'it is 123456'", { approval: "wait" });
  expect(outcome).toMatchObject({ error: { code: "policy.approval_denied" } });
  const [created] = await test.dock.runs.events(outcome.runId ?? "");
  expect(created?.data.capability).toMatchObject({ values: { what: "it is [redacted:PIN]" } });
  expect(created?.data.capability).not.toHaveProperty("kept");
});

async function ask(line: string, workspace?: string): Promise<Approval> {
  const outcome = await test.call(line, { approval: "wait", workspace });
  if (outcome.type !== "capability_waiting") throw new Error(JSON.stringify(outcome));
  return outcome.approval;
}

it("shows whoever approves every value: a long one hides none, and what does not show is spelled out", async () => {
  const long = await ask(`/box drop --note='${"a ".repeat(500)}' --force everything`);
  expect(long.summary).toContain("--force everything");
  expect(long.summary).toContain("1000 characters");
  expect(long.summary.length).toBeLessThan(600);
  const middle = await ask(`/box drop '${"a".repeat(400)} and everything else'`);
  expect(middle.summary).toContain("everything else");
  const lines = await ask("/box drop 'a\nb \u202e \u200b \u2028 c'");
  expect(lines.summary).toBe(String.raw`/box drop 'a\nb \u{202e} \u{200b} \u{2028} c'`);
  const many = await ask(`/box drop ${Array.from({ length: 500 }, (_, at) => `--tag ${at}`).join(" ")} last`);
  expect(many.summary).toMatch(/and 480 more.* last$/);
});

it("does in the directory that was agreed to what was agreed to, and names it", async () => {
  const [first, second] = ["first", "second"].map((name) => test.makeDirectory({ "docs/name": name }));
  const link = join(test.directory, "link");
  symlinkSync(first ?? "", link);
  const approval = await ask("/box where", link);
  expect(approval.summary).toBe(`/box where  (in ${first})`);
  rmSync(link);
  symlinkSync(second ?? "", link);
  expect(await test.dock.extensions.approvals.approve(approval.id)).toMatchObject({ output: "first" });

  const gone = await ask("/box where", first);
  rmSync(first ?? "", { recursive: true });
  symlinkSync(second ?? "", first ?? "");
  expect(await test.dock.extensions.approvals.approve(gone.id)).toMatchObject({
    error: { code: "policy.approval_denied", message: expect.stringContaining("now leads to another place") },
  });
});

it("ends a call whose approval is denied elsewhere while somebody is still being asked", async () => {
  const request = Promise.withResolvers<Approval>();
  const calling = test.call("/box drop x", {
    approval: (approval) => {
      request.resolve(approval);
      return new Promise(() => {});
    },
  });
  await test.dock.extensions.approvals.deny((await request.promise).id, { by: "ann", reason: "not today" });
  expect(await calling).toMatchObject({
    error: { code: "policy.approval_denied", message: expect.stringContaining("ann") },
  });
});

it("does not count as work what a call waits for: neither a person nor its turn", async () => {
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return { approved: true };
  };
  /** The call with the most that its work can have taken: all that it did not wait for. */
  const timed = async (approval: CapabilityContext["approval"]) => {
    const since = performance.now();
    const outcome = await test.call("/box drop x", { approval });
    return { outcome, mostMs: performance.now() - since - WAIT_MS + 100 };
  };
  const durationOf = (outcome: CapabilityOutcome) => ("durationMs" in outcome ? outcome.durationMs : Number.NaN);
  const request = await timed(slow);
  expect(request.outcome).toMatchObject({ type: "capability_result" });
  expect(durationOf(request.outcome)).toBeLessThan(request.mostMs);
  const denied = await timed(async () => ({ ...(await slow()), approved: false }));
  expect(durationOf(denied.outcome)).toBeLessThan(denied.mostMs);
  const { runs } = await test.dock.extensions.history({ extension: "box", limit: 2 });
  expect(runs).toHaveLength(2);
  for (const [index, { mostMs }] of [denied, request].entries()) expect(runs[index]?.durationMs).toBeLessThan(mostMs);
  expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
});

it("runs nothing of an extension that was disabled or changed while a call waited", async () => {
  const { extensions } = test.dock;
  const [id, source] = ["late", test.makeDirectory({ "docs/USAGE.md": "# Late\n", ...late("first") })];
  await extensions.add(source, { approve: async () => true });
  const first = test.call("/late wait");
  await expect.poll(() => extensions.queue.list().map(({ position }) => position)).toEqual([0]);
  const queued = Promise.withResolvers<void>();
  const second = test.call("/late wait", { onQueued: () => queued.resolve() });
  await queued.promise;
  await extensions.disable(id);
  expect(await first).toMatchObject({ type: "capability_result" });
  expect(await second).toMatchObject({ error: { code: "extension.disabled" } });
  await extensions.enable(id);

  const changing = await test.call("/late drop", {
    approval: async () => {
      writeExtension(source, late("second"));
      await extensions.update(id, { approve: async () => true });
      return { approved: true };
    },
  });
  expect(changing).toMatchObject({
    error: { code: "policy.approval_denied", message: expect.stringContaining("changed") },
  });
});

function late(word: string) {
  return describeExtension(
    "late",
    "{ tools: [sleep, echo] }",
    `      - name: wait
        description: Waits.
        runner: exec.sleep
        args: ["2"]
      - name: drop
        description: Drops something.
        runner: exec.echo
        risk: high
        args: [${word}]
`,
  );
}
