import { describe, expect, it } from "vitest";
import { matchApart, validateApart } from "./run-apart.ts";

describe("a thread of its own", () => {
  it("gives the answer back", async () => {
    expect(await matchApart({ pattern: "^b.*$", text: "a\nbc\n" })).toEqual({ kind: "matched", index: 2, match: "bc" });
    expect(await validateApart({ schema: '{"type":"string"}', instance: "1" })).toMatchObject({ kind: "mismatched" });
  });

  it("is ended when a schema's pattern takes exponential time", async () => {
    const schema = JSON.stringify({ pattern: "^(a+)+$" });
    const instance = JSON.stringify(`${"a".repeat(40)}!`);
    expect(await validateApart({ schema, instance }, { limitMs: 1500 })).toMatchObject({ kind: "stopped" });
  });

  it("says so where a pattern goes back over too much of a text", async () => {
    const answer = await matchApart({ pattern: "(a|b)*c", text: "ab".repeat(8_000_000) });
    expect(answer).toMatchObject({ kind: "invalid", reason: expect.stringContaining("too much of the text") });
  });

  it("does not parse what would take the process with it", async () => {
    for (const instance of [`[${"{},".repeat(1_000_000)}1]`, `${"[".repeat(100_000)}${"]".repeat(100_000)}`]) {
      expect(await validateApart({ schema: "true", instance })).toMatchObject({ kind: "no_json" });
    }
    const deep = `${'{"not":'.repeat(5000)}true${"}".repeat(5000)}`;
    expect(await validateApart({ schema: deep, instance: "1" })).toMatchObject({ kind: "bad_schema" });
  });

  it("is ended when a schema finds more wrong than memory holds", async () => {
    const $defs: Record<string, unknown> = { d0: { minimum: 2, maximum: 0 } };
    for (let depth = 1; depth < 40; depth++) {
      const $ref = `#/$defs/d${depth - 1}`;
      $defs[`d${depth}`] = { allOf: [{ $ref }, { $ref }], not: { allOf: [{ $ref }, { $ref }] } };
    }
    const schema = JSON.stringify({ $ref: "#/$defs/d39", $defs });
    expect(await validateApart({ schema, instance: "1" }, { limitMs: 1500 })).toMatchObject({ kind: "stopped" });
  });

  it("judges as much as it may be given", async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const items = { required: ["id", "name"], properties: { id: { type: "integer" }, name: { maxLength: 3 } } };
    const schema = JSON.stringify({ items, unevaluatedItems: false, uniqueItems: true });
    const answer = await validateApart({ schema, instance: JSON.stringify(rows) });
    expect(answer).toMatchObject({ kind: "mismatched", count: 30_000 });
  });

  it("is ended when nobody wants the answer any more", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const waiting = matchApart({ pattern: "^(a+)+$", text: `${"a".repeat(40)}!` }, { signal: controller.signal });
    await expect(waiting).rejects.toMatchObject({ code: "run.cancelled" });
  });
});
