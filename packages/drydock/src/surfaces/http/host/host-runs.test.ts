import { createClient } from "@drydock/client";
import { describe, expect, it } from "vitest";
import { openHostServer } from "./testing/open-host-server.ts";

const place = openHostServer();
const open = () => createClient({ baseUrl: place.server.url, token: place.server.token ?? "" }).host;
let conversations = 0;
const newEvent = (text = "hello") => ({
  type: "message.received",
  conversation: { conversation_id: `controlled-${conversations++}` },
  input: { text },
});
const delta = (sequence: number, content: string) => ({
  sequence,
  type: "message.delta",
  data: { chunk: { content } },
});

describe("a run that somebody outside carries out", () => {
  it("is created, appended to, finalized, and then never changes", async () => {
    const host = open();
    const event = newEvent();
    const { runId, token, eventId } = await host.runs.create({ agent: "odd", event });
    expect(await host.runs.get(runId)).toMatchObject({
      ...{ status: "running", kind: "runner", agent: "odd", eventId, binding: null, controlled: true, error: null },
    });
    const results = [delta(1, "Hel"), delta(2, "lo")];
    expect(await host.runs.append(runId, { token, results })).toMatchObject({ applied: 2, repeated: 0, ended: false });
    // The same call again, as after a broken connection, changes nothing.
    expect(await host.runs.append(runId, { token, results })).toMatchObject({ applied: 0, repeated: 2 });
    await expect(host.runs.append(runId, { token, results: [delta(2, "other")] })).rejects.toMatchObject({
      code: "input.invalid",
    });
    const end = { token, status: "completed" as const };
    expect(await host.runs.finalize(runId, end)).toMatchObject({ ended: true, ok: true, error: null });
    expect(await host.runs.finalize(runId, end)).toMatchObject({ ended: true, ok: true, repeated: 1 });
    await expect(host.runs.finalize(runId, { ...end, status: "failed" })).rejects.toMatchObject({
      code: "run.ended",
      data: { status: 409 },
    });
    await expect(host.runs.append(runId, { token, results: [delta(3, "late")] })).rejects.toMatchObject({
      code: "run.ended",
    });
    await expect(host.runs.cancel(runId)).rejects.toMatchObject({ code: "run.ended" });
    expect(await host.runs.get(runId)).toMatchObject({ status: "succeeded", verdict: "unverified" });
    const types = (await host.runs.events(runId)).events.map(({ type }) => type);
    expect(types).toEqual(["run.created", "message.sent", "run.succeeded"]);
    const {
      conversations: [found],
    } = await host.conversations.list(event.conversation);
    const { messages } = await host.conversations.messages(found?.id ?? "", { direction: "forward" });
    expect(messages.map(({ text }) => text)).toEqual(["hello", "Hello"]);
    expect((await host.runs.list({ limit: 1 })).runs).toMatchObject([{ id: runId }]);
  });

  it("ends by a terminal result as well, and a second one is refused", async () => {
    const { runs } = open();
    const { runId, token } = await runs.create({ agent: "odd", event: newEvent() });
    const failed = { sequence: 1, type: "run.failed", data: { code: "shop.closed", error: "closed", retryable: true } };
    expect(await runs.append(runId, { token, results: [failed] })).toMatchObject({
      ended: true,
      error: { code: "runner.failed", runnerCode: "shop.closed", retryable: true },
    });
    await expect(runs.finalize(runId, { token, status: "completed" })).rejects.toMatchObject({ code: "run.ended" });
    expect(await runs.get(runId)).toMatchObject({ status: "failed", error: { code: "runner.failed" } });
  });

  it("has the rights that were frozen with it: state that the agent does not grant is refused", async () => {
    const { runs, agents } = open();
    const { runId, token } = await runs.create({ agent: "odd", event: newEvent() });
    await agents.change("odd", { grants: { stateScopes: ["conversation", "actor", "runner"] } });
    const set = (sequence: number, scope: string) => ({
      ...{ sequence, type: "state.updated", data: { scope, key: "colour", value: "red" } },
    });
    const state = await runs.append(runId, { token, results: [set(1, "conversation"), set(2, "runner")] });
    expect(state.warnings).toEqual([expect.stringContaining("refused")]);
    await agents.change("odd", { grants: { stateScopes: ["conversation", "actor"] } });
    await runs.finalize(runId, { token, status: "completed", message: { content: "done" } });
  });

  it("is its creator's own: another token, and a run that a runner carries out, are refused", async () => {
    const { runs, agents } = open();
    const mine = await runs.create({ agent: "odd", event: newEvent() });
    const other = await runs.create({ agent: "odd", event: newEvent() });
    await expect(runs.append(mine.runId, { token: other.token, results: [delta(1, "x")] })).rejects.toMatchObject({
      code: "policy.approval_denied",
      data: { status: 403 },
    });
    await expect(runs.finalize(mine.runId, { token: "rct_x", status: "completed" })).rejects.toMatchObject({
      code: "policy.approval_denied",
    });
    const answered = await agents.send("helper", "hi", { conversation: { conversation_id: "plain" } });
    if (answered.kind !== "answered") throw new Error(answered.kind);
    await expect(runs.finalize(answered.runId, { token: mine.token, status: "completed" })).rejects.toMatchObject({
      code: "run.ended",
    });
    await expect(runs.append("run_none", { token: "x", results: [delta(1, "x")] })).rejects.toMatchObject({
      code: "run.not_found",
    });
    const { runId } = await place.server.dock.exec({ code: "1", language: "python" });
    await expect(runs.get(runId)).rejects.toMatchObject({ code: "run.not_found" });
    await runs.cancel(mine.runId);
    expect(await runs.get(mine.runId)).toMatchObject({ status: "cancelled" });
    await runs.cancel(other.runId);
    const ledger = JSON.stringify((await runs.events(mine.runId)).events);
    expect(ledger).not.toContain(mine.token);
  });

  it("ends at its deadline, and its event is handled once", async () => {
    const { runs, agents } = open();
    await agents.create({ name: "brief", runner: "plugin:drydock/echo/echo", timeoutSeconds: 0.3 });
    const event = { ...newEvent(), source_event_id: "42" };
    const { runId, token } = await runs.create({ agent: "brief", event });
    await expect(runs.create({ agent: "brief", event })).rejects.toMatchObject({ code: "input.invalid" });
    await expect.poll(async () => (await runs.get(runId)).status, { timeout: 10_000 }).toBe("failed");
    expect(await runs.get(runId)).toMatchObject({ error: { code: "runner.timeout" } });
    await expect(runs.append(runId, { token, results: [delta(1, "x")] })).rejects.toMatchObject({ code: "run.ended" });
    await expect(runs.create({ agent: "nobody", event: newEvent() })).rejects.toMatchObject({
      code: "agent.not_found",
    });
    expect(await place.server.dock.audit.verify()).toMatchObject({ ok: true });
  });

  it("is ended with its conversation", async () => {
    const { runs, conversations: all } = open();
    const { runId } = await runs.create({ agent: "odd", event: newEvent("to be deleted") });
    const { conversation } = await runs.get(runId);
    await all.delete(conversation ?? "");
    expect(await runs.get(runId)).toMatchObject({ status: "cancelled" });
  });
});
