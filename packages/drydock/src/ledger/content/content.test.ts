import { existsSync, readdirSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRedactor } from "../redact/create-redactor.ts";
import { openTestLedger, type TestLedger } from "../testing/open-test-ledger.ts";
import { isOnPostgres } from "../testing/postgres/test-databases.ts";

async function openWithRun(options = {}): Promise<TestLedger & { runId: string }> {
  const t = await openTestLedger(options);
  const { id } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  return Object.assign(t, { runId: id });
}

async function* chunks(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

test("an artifact is stored under its hash and read back whole, in ranges, and as a stream", async () => {
  await using t = await openWithRun();
  const ref = await t.ledger.artifacts.put(Buffer.from("0123456789"), { runId: t.runId, name: "d", mime: "image/png" });
  expect(ref).toMatchObject({
    name: "d",
    mime: "image/png",
    size: 10,
    sha256: expect.stringMatching(/^84d89877f0d4041e/),
  });
  expect(ref.id).toMatch(/^art_/);
  const file = join(t.home, "artifacts", ref.sha256.slice(0, 2), ref.sha256.slice(2));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { artifacts } = t.ledger;
  expect((await artifacts.read(ref.id)).toString()).toBe("0123456789");
  expect((await artifacts.read(ref.id, { start: 2, end: 5 })).toString()).toBe("234");
  expect((await artifacts.read(ref.id, { start: 8, end: 99 })).toString()).toBe("89");
  expect((await artifacts.read(ref.id, { start: 10 })).toString()).toBe("");
  expect(await readAll(await artifacts.stream(ref.id, { start: 3, end: 6 }))).toBe("345");
  expect(await readAll(await artifacts.stream(ref.id, { start: 10 }))).toBe("");
  for (const range of [{ start: 11 }, { start: -1 }, { start: 5, end: 4 }, { start: 0.5 }])
    await expect(artifacts.read(ref.id, range)).rejects.toMatchObject({ code: "input.invalid" });
  await expect(artifacts.read("art_none")).rejects.toMatchObject({ code: "input.invalid" });
});

test("the same content is one file, from bytes, from a stream and as a layer's blob", async () => {
  await using t = await openWithRun();
  const a = await t.ledger.artifacts.put(Buffer.from("same"), { runId: t.runId, name: "a", mime: "image/png" });
  const b = await t.ledger.artifacts.put(chunks("sa", "me"), { runId: t.runId, name: "b", mime: "image/png" });
  const source = join(t.home, "source");
  writeFileSync(source, "same");
  const [c, d] = await t.ledger.blobs.putAll([source, Buffer.from("other")], { runId: t.runId });
  expect(new Set([a.sha256, b.sha256, c?.sha256]).size).toBe(1);
  expect((await t.ledger.blobs.read(d?.sha256 ?? "")).toString()).toBe("other");
  expect((await t.ledger.artifacts.list(t.runId)).map(({ name, runId }) => [name, runId])).toEqual([
    ["a", t.runId],
    ["b", t.runId],
  ]);
  expect(readdirSync(join(t.home, "artifacts", "staging"))).toEqual([]);
});

test("more than the limit is refused and leaves nothing", async () => {
  await using t = await openWithRun();
  const options = { runId: t.runId, name: "big", mime: "image/png", maxBytes: 5 };
  for (const content of [Buffer.from("123456"), chunks("123", "456")])
    await expect(t.ledger.artifacts.put(content, options)).rejects.toMatchObject({
      code: "limit.disk",
      data: { maxBytes: 5 },
    });
  await expect(t.ledger.artifacts.put(chunks("123", "456"), { ...options, mime: "text/plain" })).rejects.toMatchObject({
    code: "limit.disk",
  });
  await t.ledger.artifacts.put(chunks("123", "45"), options);
  expect(await t.ledger.artifacts.list(t.runId)).toHaveLength(1);
  expect(readdirSync(join(t.home, "artifacts", "staging"))).toEqual([]);
});

test("an artifact of a run that does not exist is refused and leaves nothing", async () => {
  await using t = await openWithRun();
  await expect(
    t.ledger.artifacts.put(Buffer.from("x"), { runId: "run_none", name: "x", mime: "image/png" }),
  ).rejects.toMatchObject({ code: "run.not_found" });
  expect(readdirSync(join(t.home, "artifacts", "staging"))).toEqual([]);
});

test("expiry removes what is over, and files only when nothing else needs them", async () => {
  await using t = await openWithRun();
  const { artifacts, blobs } = t.ledger;
  const base = { runId: t.runId, mime: "image/png" };
  const soon = new Date("2026-01-01T00:00:00Z");
  const gone = await artifacts.put(Buffer.from("gone"), { ...base, name: "gone", expiresAt: soon });
  const shared = await artifacts.put(Buffer.from("shared"), { ...base, name: "shared", expiresAt: soon });
  const layered = await artifacts.put(Buffer.from("layered"), { ...base, name: "layered", expiresAt: soon });
  const kept = await artifacts.put(Buffer.from("shared"), { ...base, name: "kept" });
  await blobs.put(Buffer.from("layered"), { runId: t.runId });
  expect(await artifacts.expire(new Date("2025-12-31T00:00:00Z"))).toEqual({ artifacts: 0, files: 0 });
  expect(await artifacts.expire(soon)).toEqual({ artifacts: 3, files: 1 });
  expect(await artifacts.get(gone.id)).toBeNull();
  await expect(blobs.read(gone.sha256)).rejects.toMatchObject({ code: "ledger.unavailable" });
  expect((await blobs.read(layered.sha256)).toString()).toBe("layered");
  expect((await artifacts.read(kept.id)).toString()).toBe("shared");
  expect(shared.sha256).toBe(kept.sha256);
});

test("expiry clears what a crash left behind, once it is old", async () => {
  await using t = await openWithRun();
  const ref = await t.ledger.artifacts.put(Buffer.from("kept"), { runId: t.runId, name: "k", mime: "image/png" });
  const stray = join(t.home, "artifacts", ref.sha256.slice(0, 2), "0".repeat(62));
  const half = join(t.home, "artifacts", "staging", "half");
  for (const path of [stray, half]) writeFileSync(path, "left over");
  await t.ledger.artifacts.expire(new Date());
  expect([existsSync(stray), existsSync(half)]).toEqual([true, true]);
  const yesterday = new Date(Date.now() - 86_400_000);
  for (const path of [stray, half, await t.ledger.blobs.path(ref.sha256)]) utimesSync(path, yesterday, yesterday);
  await t.ledger.artifacts.expire(new Date());
  expect([existsSync(stray), existsSync(half)]).toEqual([false, false]);
  expect((await t.ledger.artifacts.read(ref.id)).toString()).toBe("kept");
});

test("an artifact whose file was changed, cut or removed is refused", async () => {
  await using t = await openWithRun();
  const ref = await t.ledger.artifacts.put(Buffer.from("honest"), { runId: t.runId, name: "h", mime: "image/png" });
  const path = await t.ledger.blobs.path(ref.sha256);
  // What this machine has is a copy there.
  if (isOnPostgres) t.tamper("update content_parts set bytes = 'forged' where sha256 = ?", ref.sha256);
  writeFileSync(path, "forged");
  await expect(t.ledger.artifacts.read(ref.id)).rejects.toMatchObject({ code: "ledger.unavailable" });
  if (existsSync(path)) truncateSync(path, 2);
  await expect(t.ledger.artifacts.read(ref.id, { start: 1 })).rejects.toMatchObject({ code: "ledger.unavailable" });
});

test("text is stored without secrets, whatever its encoding and its chunks; other content and layers as they are", async () => {
  const secret = "s3cret-s3cret";
  const redactor = createRedactor({ environment: { KEY: secret }, allowedNames: () => false });
  await using t = await openWithRun({ redactor });
  const { artifacts, blobs } = t.ledger;
  for (const mime of ["text/csv", "application/json", "image/svg+xml", "application/problem+json"]) {
    const ref = await artifacts.put(chunks("a,s3cret-", "s3cret,é"), { runId: t.runId, name: "t", mime });
    expect((await artifacts.read(ref.id)).toString()).toBe("a,[redacted:KEY],é");
  }
  const latin = await artifacts.put(Buffer.from(`é ${secret}`, "latin1"), {
    runId: t.runId,
    name: "l",
    mime: "text/plain",
  });
  expect((await artifacts.read(latin.id)).toString("latin1")).toBe("é [redacted:KEY]");
  const picture = await artifacts.put(Buffer.from(secret), { runId: t.runId, name: "p", mime: "image/png" });
  expect((await artifacts.read(picture.id)).toString()).toBe(secret);
  const blob = await blobs.put(Buffer.from(secret), { runId: t.runId });
  expect((await blobs.read(blob.sha256)).toString()).toBe(secret);
});

test("a symbolic link is not followed into the store, and no path is made of what is no hash", async () => {
  await using t = await openWithRun();
  const link = join(t.home, "link");
  symlinkSync("/etc/passwd", link);
  await expect(t.ledger.blobs.put(link, { runId: t.runId })).rejects.toThrow();
  await expect(t.ledger.blobs.path("../../etc/passwd")).rejects.toThrow(/not a SHA-256/);
});
