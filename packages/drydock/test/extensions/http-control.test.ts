import { describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { describeExtension } from "../testing/extension-dock.ts";
import { openExtensionServer } from "./extension-server.ts";

const risky = describeExtension(
  "risky",
  "{ tools: [sh] }",
  `      - name: do
        description: Does something far-reaching.
        runner: exec.sh
        risk: high
        arguments: [{ name: text, required: true }]
        args: [-c, 'echo "$1" >> done.txt; echo "did $1"', sh, "{{ text }}"]
      - name: look
        description: Looks at what was done.
        runner: exec.sh
        args: [-c, "cat done.txt 2>/dev/null || true"]
      - name: wait
        description: Takes its time.
        runner: exec.sh
        args: [-c, "echo waiting; sleep 60"]
`,
);
const place = openExtensionServer({
  extensions: [risky],
  policy: "version: 1\nextensions: { concurrency: 1, total: 2 }\n",
});

describe("approvals over HTTP", () => {
  it("are refused at once where the caller does not wait for anybody", async () => {
    const refused = await place.ask("POST", "/capabilities", { route: "/risky do one" });
    expect([refused.status, refused.value.error.code]).toEqual([403, "policy.approval_denied"]);
  });

  it("wait over a restart of the server, and do then what was asked for, once", async () => {
    const body = { route: "/risky do 'two words'", session: "waits", user: "ada", approval: "wait" };
    const waiting = await place.ask("POST", "/capabilities", body);
    expect(waiting.status).toBe(202);
    const { runId, approval } = waiting.value;
    expect(approval).toMatchObject({ status: "pending", risk: "high", requestedBy: "ada" });
    expect(await place.client.runs.get(runId)).toMatchObject({ status: "paused" });
    await place.restart();
    const { approvals } = place.client;
    const pending = await approvals.list({ status: "pending" });
    expect(pending.approvals.map(({ id, summary }) => [id, summary])).toEqual([[approval.id, "/risky do 'two words'"]]);
    const path = `/approvals/${approval.id}/approve`;
    const key = { "idempotency-key": "agree" };
    const done = await place.ask("POST", path, { by: "grace", reason: "it is fine" }, key);
    expect(done).toMatchObject({ status: 200, value: { type: "capability_result", output: "did two words\n", runId } });
    expect((await place.ask("POST", path, { by: "grace", reason: "it is fine" }, key)).value).toEqual(done.value);
    const again = await place.ask("POST", path, {});
    expect([again.status, again.value.error.code]).toEqual([400, "input.invalid"]);
    expect(await approvals.get(approval.id)).toMatchObject({ status: "approved", decidedBy: "grace" });
    expect(await place.output("/risky look", { session: "waits" })).toBe("two words\n");
  });

  it("are denied by whoever may decide, and nothing is done", async () => {
    const waiting = await place.call("/risky do three", { session: "denied", approval: "wait" });
    if (waiting.type !== "capability_waiting") throw new Error(JSON.stringify(waiting));
    const { approvals } = place.client;
    const denied = await approvals.deny(waiting.approval.id, { by: "grace", reason: "not today" });
    expect(denied).toMatchObject({ status: "denied", decidedBy: "grace", reason: "not today" });
    expect(await place.client.runs.get(waiting.runId)).toMatchObject({ errorCode: "policy.approval_denied" });
    await expect(approvals.approve(waiting.approval.id)).rejects.toMatchObject({ code: "input.invalid" });
    expect(await place.output("/risky look", { session: "denied" })).toBe("");
    await expect(approvals.get("apr_none")).rejects.toMatchObject({
      code: "approval.not_found",
      data: { status: 404 },
    });
  });
});

describe("the queue over HTTP", () => {
  it("shows who waits at which place, and ends whom it is told to", async () => {
    const { queue } = place.client.extensions;
    const seen: unknown[] = [];
    const first = place.call("/risky wait", { session: "q1" });
    await eventually(async () => (await queue.list()).calls.length === 1);
    const second = place.client.extensions.execute(
      "/risky wait",
      { session: "q2", user: "bob" },
      { onEvent: ({ event, data }) => seen.push([event, data]) },
    );
    await eventually(async () => (await queue.list()).calls.length === 2);
    const { calls } = await queue.list();
    expect(calls.map(({ position, session, user }) => [position, session, user])).toEqual([
      [0, "q1", "owner"],
      [1, "q2", "bob"],
    ]);
    await queue.cancel(calls[1]?.runId ?? "");
    expect(await second).toMatchObject({ success: false, error: { code: "run.cancelled" } });
    expect(seen).toContainEqual(["queued", { position: 1 }]);
    await place.client.runs.cancel(calls[0]?.runId ?? "");
    expect(await first).toMatchObject({ success: false, error: { code: "run.cancelled" } });
    await expect(queue.cancel("run_none")).rejects.toMatchObject({ code: "run.not_found" });
    expect((await queue.list()).calls).toEqual([]);
  });

  it("has calls that go on in the background, and are followed like any run", async () => {
    const { runs } = place.client;
    const run = await runs.create({ kind: "capability", route: "/risky look", session: "back" });
    expect(run.kind).toBe("capability");
    for await (const _event of runs.follow(run.id));
    expect(await runs.get(run.id)).toMatchObject({ status: "succeeded" });
    const waits = await runs.create({ kind: "capability", route: "/risky wait", session: "back" });
    await eventually(async () => (await place.client.extensions.queue.list()).calls.length === 1);
    await runs.cancel(waits.id);
    for await (const _event of runs.follow(waits.id));
    expect(await runs.get(waits.id)).toMatchObject({ status: "cancelled" });
    await expect(runs.create({ kind: "capability", route: "/rsky look" })).rejects.toMatchObject({
      code: "extension.not_found",
      hint: expect.stringContaining("/risky"),
    });
  });

  it("forgets a caller that goes away", async () => {
    const gone = new AbortController();
    const call = place.client.extensions.execute("/risky wait", { session: "gone" }, { signal: gone.signal });
    await eventually(async () => (await place.client.extensions.queue.list()).calls.length === 1);
    gone.abort();
    await expect(call).rejects.toMatchObject({ code: "run.cancelled" });
    await eventually(async () => (await place.client.extensions.queue.list()).calls.length === 0);
    const { runs } = await place.client.extensions.history({ session: "gone" });
    expect(runs).toMatchObject([{ status: "cancelled" }]);
  });
});
