import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { matchInWorker, validateInWorker } from "./run-in-worker.ts";
import { endThread, giveThreadBack, takeThread } from "./thread-pool.ts";

describe("a thread of its own", () => {
  it("gives the answer back", async () => {
    expect(await matchInWorker({ pattern: "^b.*$", text: "a\nbc\n" })).toEqual({
      kind: "matched",
      index: 2,
      match: "bc",
    });
    expect(await validateInWorker({ schema: '{"type":"string"}', instance: "1" })).toMatchObject({
      kind: "mismatched",
    });
  });

  it("is ended when a schema's pattern takes exponential time", async () => {
    const schema = JSON.stringify({ pattern: "^(a+)+$" });
    const instance = JSON.stringify(`${"a".repeat(40)}!`);
    expect(await validateInWorker({ schema, instance }, { limitMs: 1500 })).toMatchObject({ kind: "stopped" });
  });

  it("has its time on the processor, not by the clock: others may be at work", async () => {
    // So many at once that each has to wait for most of the time, which is longer than its limit.
    const request = { pattern: "^(a+)+$", text: `${"a".repeat(22)}!` };
    const since = performance.now();
    const alone = await matchInWorker(request);
    const limitMs = 3 * (performance.now() - since);
    expect(alone).toMatchObject({ kind: "unmatched" });
    const all = Array.from({ length: 6 * availableParallelism() }, () => matchInWorker(request, { limitMs }));
    for (const answer of await Promise.all(all)) expect(answer).toEqual(alone);
  }, 180_000);

  it("says so where a pattern goes back over too much of a text", async () => {
    const answer = await matchInWorker({ pattern: "(a|b)*c", text: "ab".repeat(8_000_000) });
    expect(answer).toMatchObject({ kind: "invalid", reason: expect.stringContaining("too much of the text") });
  });

  it("does not parse what would take the process with it", async () => {
    for (const instance of [`[${"{},".repeat(1_000_000)}1]`, `${"[".repeat(100_000)}${"]".repeat(100_000)}`]) {
      expect(await validateInWorker({ schema: "true", instance })).toMatchObject({ kind: "no_json" });
    }
    const deep = `${'{"not":'.repeat(5000)}true${"}".repeat(5000)}`;
    expect(await validateInWorker({ schema: deep, instance: "1" })).toMatchObject({ kind: "bad_schema" });
  });

  it("is ended when a schema finds more wrong than memory holds", async () => {
    const $defs: Record<string, unknown> = { d0: { minimum: 2, maximum: 0 } };
    for (let depth = 1; depth < 40; depth++) {
      const $ref = `#/$defs/d${depth - 1}`;
      $defs[`d${depth}`] = { allOf: [{ $ref }, { $ref }], not: { allOf: [{ $ref }, { $ref }] } };
    }
    const schema = JSON.stringify({ $ref: "#/$defs/d39", $defs });
    expect(await validateInWorker({ schema, instance: "1" }, { limitMs: 1500 })).toMatchObject({ kind: "stopped" });
  });

  it("judges as much as it may be given", async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const items = { required: ["id", "name"], properties: { id: { type: "integer" }, name: { maxLength: 3 } } };
    const schema = JSON.stringify({ items, unevaluatedItems: false, uniqueItems: true });
    const answer = await validateInWorker({ schema, instance: JSON.stringify(rows) });
    expect(answer).toMatchObject({ kind: "mismatched", count: 30_000 });
  });

  it("is ended when its caller cancels", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const waiting = matchInWorker({ pattern: "^(a+)+$", text: `${"a".repeat(40)}!` }, { signal: controller.signal });
    await expect(waiting).rejects.toMatchObject({ code: "run.cancelled" });
  });
});

describe("a thread that is used again", () => {
  const TRUE = "https://json-schema.org/draft/2020-12/schema";
  const wrong = { schema: '{"type":"string"}', instance: "1" };
  const usesSoFar = () => {
    const thread = takeThread();
    const { uses } = thread;
    giveThreadBack({ ...thread, uses: uses - 1 });
    return uses - 1;
  };
  const endWaiting = () => {
    while (usesSoFar() > 0) endThread(takeThread());
  };

  it("answers the next request, whether or not the value satisfied the schema", async () => {
    endWaiting();
    await validateInWorker(wrong);
    await validateInWorker({ ...wrong, instance: '"a"' });
    await validateInWorker({ ...wrong, instance: "{" });
    await matchInWorker({ pattern: "a", text: "b" });
    expect(usesSoFar()).toBe(4);
  });

  it("answers each of many at once with its own answer", async () => {
    const texts = Array.from({ length: 12 }, (_, each) => `${"x".repeat(each)}y`);
    const answers = await Promise.all(texts.map((text) => matchInWorker({ pattern: "y", text })));
    expect(answers.map((answer) => "index" in answer && answer.index)).toEqual(texts.map((_, each) => each));
  });

  it.each([
    ["redefines the dialect of others", { $id: TRUE, $vocabulary: {} }],
    ["redefines it from within", { $defs: { a: { $id: TRUE, $vocabulary: { [`${TRUE}/../vocab/core`]: false } } } }],
    ["redefines it under another spelling", { $id: "HTTPS://JSON-SCHEMA.ORG/draft/2020-12/./schema", $vocabulary: {} }],
    ["takes the place of what a dialect demands", { $defs: { a: { $id: TRUE, $dynamicAnchor: "meta" } } }],
    ["defines a dialect", { $id: "https://own.invalid/", $schema: TRUE, $vocabulary: {} }],
    ["sets prototypes", JSON.parse('{"__proto__":{"__proto__":{"type":"string"}},"properties":{"__proto__":{}}}')],
  ])("is not, after a schema that %s", async (_what, schema) => {
    endWaiting();
    await validateInWorker({ schema: JSON.stringify(schema), instance: "{}" });
    expect(usesSoFar()).toBe(0);
    expect(await validateInWorker(wrong)).toMatchObject({ kind: "mismatched" });
    expect(await validateInWorker({ schema: '{"type":1}', instance: "1" })).toMatchObject({ kind: "bad_schema" });
  });

  it("is not, after a schema that was stopped", async () => {
    endWaiting();
    const schema = JSON.stringify({ pattern: "^(a+)+$" });
    await validateInWorker({ schema, instance: JSON.stringify(`${"a".repeat(40)}!`) }, { limitMs: 1500 });
    expect(usesSoFar()).toBe(0);
  });

  it("forgets what a schema was called and what it referred to", async () => {
    endWaiting();
    const resources = { "https://a.invalid/b": '{"$id":"https://a.invalid/b","type":"string"}' };
    const $ref = { schema: '{"$ref":"https://a.invalid/b"}', instance: "1" };
    expect(await validateInWorker({ ...$ref, resources })).toMatchObject({ kind: "mismatched" });
    expect(await validateInWorker($ref)).toEqual({ kind: "unresolved", uri: "https://a.invalid/b" });
    const named = JSON.stringify({ $id: "https://a.invalid/c", $defs: { d: { $id: "d", type: "string" } } });
    expect(await validateInWorker({ schema: named, instance: "1" })).toEqual({ kind: "valid" });
    expect(await validateInWorker({ schema: '{"$ref":"https://a.invalid/d"}', instance: "1" })).toMatchObject({
      kind: "unresolved",
    });
    expect(usesSoFar()).toBe(4);
  });
});
