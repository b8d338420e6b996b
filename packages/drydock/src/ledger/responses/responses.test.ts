import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRedactor } from "../index.ts";
import { addResponse, beginCapabilityRun } from "../testing/add-capability-run.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";
import { MAX_KEPT_BYTES } from "./fit-content.ts";

const HOUR_MS = 60 * 60 * 1000;

test("a session's last response is the one that was stored last, and sessions don't see each other", async () => {
  await using t = await openTestLedger();
  await addResponse(t.ledger, "one", { session: "a" });
  await addResponse(t.ledger, '{"two":2}', { session: "a", mime: "application/json", metadata: { status: 200 } });
  await addResponse(t.ledger, "other", { session: "b" });
  expect(await t.ledger.responses.last("a")).toMatchObject({
    text: '{"two":2}',
    mime: "application/json",
    metadata: { status: 200 },
    size: 9,
    kept: 9,
    truncated: false,
    artifact: null,
  });
  expect((await t.ledger.responses.history("a")).map((info) => info.size)).toEqual([9, 3]);
  expect((await t.ledger.responses.history("a", { limit: 1 })).map((info) => info.size)).toEqual([9]);
  expect(await t.ledger.responses.last("nobody")).toBeNull();
});

test("a response appears with its run's end, and not before", async () => {
  await using t = await openTestLedger();
  const runId = await beginCapabilityRun(t.ledger);
  const call = { runId, session: "default", extension: "curl", command: "curl", action: "get", mime: "text/plain" };
  const staged = await t.ledger.responses.stage({ ...call, content: Buffer.from("hello") });
  expect(await t.ledger.responses.last("default")).toBeNull();
  const end = { type: "run.succeeded", data: { durationMs: 1 } } as const;
  await t.ledger.finish(runId, end, [staged.event], [staged]);
  // Said twice, by a caller that did not hear the answer, it is still one.
  await t.ledger.finish(runId, end, [staged.event], [staged]);
  expect(await t.ledger.responses.history("default")).toHaveLength(1);
  expect((await t.ledger.events(runId)).map(({ type }) => type)).toEqual([
    "run.created",
    "response.stored",
    "run.succeeded",
  ]);
  expect((await t.ledger.verify()).ok).toBe(true);
});

test("a run that somebody else has ended leaves no response", async () => {
  await using t = await openTestLedger();
  const runId = await beginCapabilityRun(t.ledger);
  const call = { runId, session: "default", extension: "curl", command: "curl", action: "get", mime: "text/plain" };
  const staged = await t.ledger.responses.stage({ ...call, content: Buffer.from("late") });
  await t.ledger.finish(runId, { type: "run.cancelled", data: {} });
  await expect(t.ledger.finish(runId, { type: "run.succeeded", data: {} }, [staged.event], [staged])).rejects.toThrow(
    /ended already/,
  );
  expect(await t.ledger.responses.last("default")).toBeNull();
});

test("a megabyte fits; one byte more is cut at a whole character, says so, and is there whole as an artifact", async () => {
  await using t = await openTestLedger();
  expect(await addResponse(t.ledger, "x".repeat(MAX_KEPT_BYTES))).toMatchObject({ truncated: false, artifact: null });
  // Three bytes each: the cut would fall into the middle of one.
  const long = "日".repeat(400_000);
  const info = await addResponse(t.ledger, long);
  expect(info).toMatchObject({ truncated: true, size: 1_200_000, kept: Math.floor(MAX_KEPT_BYTES / 3) * 3 });
  const last = await t.ledger.responses.last("default");
  expect(last?.text).toBe("日".repeat(Math.floor(MAX_KEPT_BYTES / 3)));
  expect((await t.ledger.artifacts.read(info.artifact?.id ?? "")).toString()).toBe(long);
});

test.each([
  ["bytes that are no UTF-8", Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ["text with a NUL", Buffer.from("a\0b")],
])("%s are an artifact with a note in place of the text", async (_name, content) => {
  await using t = await openTestLedger();
  const info = await addResponse(t.ledger, content, { mime: "image/jpeg" });
  expect(info).toMatchObject({ truncated: false, kept: 0, size: content.length });
  expect((await t.ledger.responses.read(info.id))?.text).toBe(
    `[${content.length} bytes of image/jpeg, which is not text: see the artifact]`,
  );
  expect(await t.ledger.artifacts.read(info.artifact?.id ?? "")).toEqual(content);
});

test("secrets are in neither the text, the artifact nor the metadata", async () => {
  const redactor = createRedactor({ environment: { API_KEY: "very-secret-value" }, allowedNames: () => false });
  await using t = await openTestLedger({ redactor });
  const info = await addResponse(t.ledger, `very-secret-value ${"x".repeat(MAX_KEPT_BYTES)}`, {
    metadata: { header: "very-secret-value" },
  });
  const last = await t.ledger.responses.last("default");
  expect(last?.text).toMatch(/^\[redacted:API_KEY\] x/);
  expect(last?.metadata).toEqual({ header: "[redacted:API_KEY]" });
  expect((await t.ledger.artifacts.read(info.artifact?.id ?? "")).includes("very-secret-value")).toBe(false);
});

test("after a day it is gone, with its artifact, as soon as another is stored", async () => {
  let now = new Date("2026-05-01T00:00:00.000Z");
  await using t = await openTestLedger({ now: () => now });
  const old = await addResponse(t.ledger, Buffer.from([0xff, 0xfe]), { mime: "application/octet-stream" });
  const file = join(t.home, "artifacts", old.artifact?.sha256.slice(0, 2) ?? "", old.artifact?.sha256.slice(2) ?? "");
  expect(existsSync(file)).toBe(true);
  now = new Date(now.getTime() + 24 * HOUR_MS);
  expect(await t.ledger.responses.last("default")).toBeNull();
  expect(await t.ledger.responses.read(old.id)).toBeNull();
  expect((await t.ledger.responses.totals()).responses).toBe(0);
  await addResponse(t.ledger, "new");
  expect(t.query("select id from responses")).toHaveLength(1);
  expect(existsSync(file)).toBe(false);
  expect((await t.ledger.verify()).ok).toBe(true);
});

test("how long one is kept can be said, and expiry takes all whose time is over", async () => {
  await using t = await openTestLedger();
  await addResponse(t.ledger, "short", { keepMs: 1000 });
  await addResponse(t.ledger, "long");
  expect(await t.ledger.responses.expire(new Date(Date.now() + HOUR_MS))).toBe(1);
  expect((await t.ledger.responses.last("default"))?.text).toBe("long");
});

test("totals count by session or all; clearing removes one session's", async () => {
  await using t = await openTestLedger();
  await addResponse(t.ledger, "12345", { session: "a" });
  await addResponse(t.ledger, "x".repeat(MAX_KEPT_BYTES + 1), { session: "a" });
  await addResponse(t.ledger, "1", { session: "b" });
  expect(await t.ledger.responses.totals("a")).toMatchObject({
    responses: 2,
    bytes: MAX_KEPT_BYTES + 6,
    truncated: 1,
    oldest: expect.any(String),
  });
  expect((await t.ledger.responses.totals()).responses).toBe(3);
  expect(await t.ledger.responses.clear("a")).toBe(2);
  expect(await t.ledger.responses.totals("a")).toEqual({
    ...{ responses: 0, bytes: 0, truncated: 0, oldest: null, newest: null },
  });
  expect((await t.ledger.responses.last("b"))?.text).toBe("1");
  expect(t.query("select id from artifacts")).toEqual([]);
});

test("what another process stored is there", async () => {
  await using t = await openTestLedger();
  const other = await openAt(t.home);
  await addResponse(other, "from elsewhere");
  await other.close();
  expect((await t.ledger.responses.last("default"))?.text).toBe("from elsewhere");
});

test("a retention cut takes the responses, approvals and index rows of the runs that it removes", async () => {
  let now = new Date("2026-05-01T00:00:00.000Z");
  await using t = await openTestLedger({ now: () => now });
  await addResponse(t.ledger, "old", { keepMs: 1000 * HOUR_MS });
  now = new Date("2026-05-03T00:00:00.000Z");
  await addResponse(t.ledger, "new");
  await t.ledger.cut({ before: new Date("2026-05-02T00:00:00.000Z") });
  expect(t.query("select run_id from responses")).toHaveLength(1);
  expect(t.query("select run_id from capabilities")).toHaveLength(1);
  expect((await t.ledger.verify()).ok).toBe(true);
});
