import { describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { describeExtension, openExtensionDock, writeExtension } from "../testing/extension-dock.ts";

const risky = describeExtension(
  "risky",
  "{ tools: [sh, echo] }",
  `      - name: do
        description: Does something far-reaching.
        runner: exec.sh
        risk: high
        arguments: [{ name: text, required: true }]
        args: [-c, 'echo "did $1"; echo "$1" >> done.txt', sh, "{{ text }}"]
      - name: look
        description: Looks at what was done.
        runner: exec.sh
        args: [-c, "cat done.txt 2>/dev/null || true"]
      - name: work
        description: Works on a response.
        runner: exec.sh
        risk: high
        stdin: "{{ input }}"
        args: [-c, "tr a-z A-Z"]
      - name: wait
        description: Takes its time.
        runner: exec.sh
        args: [-c, "echo waiting; sleep 30"]
      - name: short
        description: Takes a little time.
        runner: exec.sh
        args: [-c, "sleep 0.3; echo done"]
      - name: say
        description: Says it.
        runner: exec.echo
        arguments: [{ name: text, required: true }]
        args: ["{{ text }}"]
`,
);

const test = openExtensionDock({ extensions: [risky] });

describe("approvals", () => {
  it("are denied at once where nobody can be asked, on record", async () => {
    const outcome = await test.call("/risky do one", { session: "deny" });
    expect(outcome).toMatchObject({ success: false, error: { code: "policy.approval_denied" } });
    expect(await test.output("/risky look", { session: "deny" })).toBe("");
    const events = await test.dock.runs.events(outcome.runId ?? "");
    expect(events.map(({ type }) => type)).toEqual([
      "run.created",
      "approval.requested",
      "approval.decided",
      "run.failed",
    ]);
  });

  it("let a call go on when a person agrees, who is told what it is about", async () => {
    const requests: string[] = [];
    const approval = async ({ summary, risk }: { summary: string; risk: string }) => {
      requests.push(`${risk}: ${summary}`);
      return { approved: true, by: "ada", reason: "it is fine" };
    };
    expect(await test.output("/risky do 'two words'", { approval, session: "ask" })).toBe("did two words\n");
    expect(requests).toEqual(["high: /risky do 'two words'"]);
    const [kept] = await test.dock.extensions.approvals.list({ status: "approved" });
    expect(kept).toMatchObject({ decidedBy: "ada", reason: "it is fine", requestedBy: "owner" });
  });

  it("take anything but a clear yes for a no", async () => {
    const answers = [{ approved: false, by: "eve", reason: "no" }, {}, { approved: "yes" }, undefined];
    for (const answer of answers) {
      const approval = async () => answer as never;
      expect(await test.error("/risky do x", { approval })).toMatchObject({ code: "policy.approval_denied" });
    }
    const approval = () => Promise.reject(new Error("nobody there"));
    expect(await test.error("/risky do x", { approval })).toMatchObject({ code: "policy.approval_denied" });
  });

  it("survive the process, and do then exactly what was asked for, once", async () => {
    const text = "späť 'n' \"quotes\"\nand lines";
    const route = { command: "risky", action: "do", values: { text } };
    const context = { approval: "wait", session: "wait", user: "grace" } as const;
    const waiting = await test.dock.extensions.execute(route, context);
    if (waiting.type !== "capability_waiting") throw new Error(JSON.stringify(waiting));
    expect(await test.dock.runs.get(waiting.runId)).toMatchObject({ status: "paused" });
    await test.reopen();
    expect(await test.dock.runs.get(waiting.runId)).toMatchObject({ status: "paused" });
    expect(await test.output("/risky look", { session: "wait" })).toBe("");
    const { id } = waiting.approval;
    const both = await Promise.allSettled([
      test.dock.extensions.approvals.approve(id, { by: "ada", reason: "go" }),
      test.dock.extensions.approvals.approve(id, { by: "bob" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "fulfilled")).toMatchObject({
      value: { success: true, runId: waiting.runId, output: `did ${text}\n`, session: "wait" },
    });
    expect(await test.output("/risky look", { session: "wait" })).toBe(`${text}\n`);
    expect(await test.dock.runs.get(waiting.runId)).toMatchObject({ status: "succeeded" });
    await expect(test.dock.extensions.approvals.approve("apr_nothing")).rejects.toMatchObject({
      code: "approval.not_found",
    });
    expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
  });

  it("that are refused end the run that waited", async () => {
    const waiting = await test.call("/risky do never", { approval: "wait", session: "refused" });
    if (waiting.type !== "capability_waiting") throw new Error(JSON.stringify(waiting));
    await test.dock.extensions.approvals.deny(waiting.approval.id, { by: "ada", reason: "not today" });
    expect(await test.dock.runs.get(waiting.runId)).toMatchObject({
      status: "failed",
      errorCode: "policy.approval_denied",
    });
    expect(await test.output("/risky look", { session: "refused" })).toBe("");
  });

  it("can be given elsewhere while a person is being asked", async () => {
    const requested = Promise.withResolvers<string>();
    const approval = ({ id }: { id: string }) => {
      requested.resolve(id);
      return new Promise<never>(() => {});
    };
    const call = test.call("/risky do elsewhere", { approval, session: "elsewhere" });
    const outcome = await test.dock.extensions.approvals.approve(await requested.promise, { by: "bob" });
    expect(outcome).toMatchObject({ success: true, output: "did elsewhere\n" });
    expect(await call).toEqual(outcome);
    expect(await test.output("/risky look", { session: "elsewhere" })).toBe("elsewhere\n");
  });

  it("are not waited for any more once the run is cancelled", async () => {
    const waiting = await test.call("/risky do never", { approval: "wait" });
    if (waiting.type !== "capability_waiting") throw new Error(JSON.stringify(waiting));
    await test.dock.runs.cancel(waiting.runId);
    expect(await test.dock.runs.get(waiting.runId)).toMatchObject({ status: "cancelled" });
    expect(await test.dock.extensions.approvals.get(waiting.approval.id)).toMatchObject({ status: "cancelled" });
    await expect(test.dock.extensions.approvals.approve(waiting.approval.id)).rejects.toMatchObject({
      code: "input.invalid",
    });
  });

  it("work on the response that was there when they were asked for", async () => {
    const session = "input";
    await test.output("/risky say first", { session });
    const waiting = await test.call("/risky work", { approval: "wait", session });
    if (waiting.type !== "capability_waiting") throw new Error(JSON.stringify(waiting));
    await test.output("/risky say second", { session });
    expect(await test.dock.extensions.approvals.approve(waiting.approval.id)).toMatchObject({ output: "FIRST\n" });
  });

  it("are not waited for where a value holds a secret, which would have to be written down", async () => {
    await test.dock.extensions.secrets.set("HIDDEN", "hush-hush-hush");
    const error = await test.error("/risky do hush-hush-hush", { approval: "wait" });
    expect(error).toMatchObject({ code: "policy.approval_denied", message: expect.stringContaining("secret") });
  });

  it("are for what was there then: an extension that was changed since is not run", async () => {
    const waiting = await test.call("/risky do late", { approval: "wait", session: "changed" });
    if (waiting.type !== "capability_waiting") throw new Error(JSON.stringify(waiting));
    const next = test.makeDirectory({ "docs/USAGE.md": "# Usage\n\nFor tests.\n" });
    writeExtension(next, { ...risky, "extension.yaml": (risky["extension.yaml"] ?? "").replace("1.0.0", "1.0.1") });
    await test.dock.extensions.update("risky", { source: next, approve: async () => true });
    expect(await test.dock.extensions.approvals.approve(waiting.approval.id)).toMatchObject({
      success: false,
      error: { code: "policy.approval_denied" },
    });
    expect(await test.output("/risky look", { session: "changed" })).toBe("");
  });
});

describe("the queue", () => {
  it("lets as many run as the policy says, the others in order, each knowing its place", async () => {
    const policy = { extensions: { concurrency: 1 } };
    const places: number[][] = [[], [], []];
    const calls = places.map((list, index) =>
      test.call("/risky short", { policy, session: `q${index}`, onQueued: (position) => list.push(position) }),
    );
    expect(await eventually(() => test.dock.extensions.queue.list().length === 3)).toBe(true);
    const outcomes = await Promise.all(calls);
    expect(outcomes.every((outcome) => outcome.type === "capability_result")).toBe(true);
    expect(places.map((list) => list[0]).sort()).toEqual([1, 2, undefined]);
    expect(test.dock.extensions.queue.list()).toEqual([]);
  });

  it.each([
    ["by its signal", (_: string, stop: AbortController) => stop.abort()],
    ["by its place in the queue", (runId: string) => test.dock.extensions.queue.cancel(runId)],
    ["by its run, as another process would", (runId: string) => test.dock.runs.cancel(runId)],
  ])("ends what runs %s", async (_, cancel) => {
    const stop = new AbortController();
    const seen = Promise.withResolvers<void>();
    let runId = "";
    const call = test.call("/risky wait", {
      signal: stop.signal,
      onStarted: (id) => {
        runId = id;
      },
      onOutput: () => seen.resolve(),
    });
    await seen.promise;
    await cancel(runId, stop);
    expect(await call).toMatchObject({ success: false, error: { code: "run.cancelled" }, output: "waiting\n" });
    expect(await test.dock.runs.get(runId)).toMatchObject({ status: "cancelled" });
  });
});

describe("a dock that is closed", () => {
  it("waits for nobody who is being asked", async () => {
    const requested = Promise.withResolvers<string>();
    const approval = ({ id }: { id: string }) => {
      requested.resolve(id);
      return new Promise<never>(() => {});
    };
    const call = test.call("/risky do it", { approval });
    const id = await requested.promise;
    await test.reopen();
    expect(await call).toMatchObject({ error: { code: "run.cancelled" } });
    expect(await test.dock.extensions.approvals.get(id)).toMatchObject({ status: "cancelled" });
  });

  it("ends what is under way, on record", async () => {
    const seen = Promise.withResolvers<void>();
    let runId = "";
    const call = test.call("/risky wait", {
      onStarted: (id) => {
        runId = id;
      },
      onOutput: () => seen.resolve(),
    });
    await seen.promise;
    await test.reopen();
    expect(await call).toMatchObject({ error: { code: "run.cancelled" } });
    expect(await test.dock.runs.get(runId)).toMatchObject({ status: "cancelled" });
  });
});

describe("pipelines", () => {
  it("hand on what one gave to the next, each a run of its own under the first", async () => {
    const approval = async () => ({ approved: true });
    const outcome = await test.call("/risky say abc | /risky work | /risky say '<{{ last.text }}>'", {
      approval,
      session: "pipe",
    });
    expect(outcome).toMatchObject({ success: true, output: "<ABC\n>\n" });
    const { runs } = await test.dock.extensions.history({ session: "pipe" });
    expect(runs.map(({ action }) => action)).toEqual(["say", "work", "say"]);
    const parents = await Promise.all(
      runs.map(async ({ id }) => (await test.dock.runs.events(id))[0]?.data.parentRunId),
    );
    expect(parents).toEqual([runs[2]?.id, runs[2]?.id, undefined]);
  });

  it("end with the first that fails", async () => {
    const outcome = await test.call("/risky say abc | /risky do it | /risky say never", { session: "broken" });
    expect(outcome).toMatchObject({ success: false, action: "do", error: { code: "policy.approval_denied" } });
    const { runs } = await test.dock.extensions.history({ session: "broken" });
    expect(runs.map(({ action }) => action)).toEqual(["do", "say"]);
  });
});
