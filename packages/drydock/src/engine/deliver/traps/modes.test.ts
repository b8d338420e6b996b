import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DeliveryFixture, prepareDelivery } from "../testing/delivery-fixture.ts";

const file = (mode: number) => ({ text: "x", mode });
const modeOf = ({ workspace }: DeliveryFixture, path: string) => statSync(join(workspace, path)).mode & 0o7777;

describe("permissions that are delivered", () => {
  it.each([
    [0o666, 0o755, 0o644],
    [0o777, 0o755, 0o755],
    [0o664, 0o755, 0o644],
    [0o664, 0o775, 0o664],
    [0o666, 0o775, 0o664],
    [0o666, 0o777, 0o666],
    [0o666, 0o1777, 0o644],
    [0o1755, 0o755, 0o755],
    [0o755, 0o700, 0o755],
    [0o600, 0o777, 0o600],
  ])("are no wider than the directory: %o in %o becomes %o", async (mode, directory, expected) => {
    const fixture = prepareDelivery({}, { new: file(mode) });
    chmodSync(fixture.workspace, directory);
    const reduced = mode === expected ? [] : [{ path: "new", from: mode, to: expected }];
    expect(await fixture.deliver()).toMatchObject({ kind: "applied", reduced });
    expect(modeOf(fixture, "new")).toBe(expected);
  });

  it("are those of new directories first, and then of what is in them", async () => {
    const fixture = prepareDelivery({ "old/": { mode: 0o755 } }, { "old/": { mode: 0o755 } });
    const wide = prepareDelivery({}, { "d/": { mode: 0o7777 }, "d/e/": { mode: 0o3777 }, "d/e/f": file(0o666) });
    expect(await wide.deliver()).toMatchObject({ reduced: [{ path: "d" }, { path: "d/e" }, { path: "d/e/f" }] });
    expect(["d", "d/e", "d/e/f"].map((path) => modeOf(wide, path))).toEqual([0o755, 0o755, 0o644]);
    expect(await fixture.deliver()).toEqual({ kind: "nothing" });
  });

  it("inherit set-group-ID from a directory that has it, and nothing else", async () => {
    const fixture = prepareDelivery({}, { "d/": { mode: 0o2775 } });
    chmodSync(fixture.workspace, 0o2775);
    expect(await fixture.deliver()).toMatchObject({ reduced: [] });
    expect(modeOf(fixture, "d")).toBe(0o2775);
  });

  it("stay where the user had them, and are not widened", async () => {
    const fixture = prepareDelivery(
      { a: { text: "1", mode: 0o666 }, b: { text: "1", mode: 0o644 } },
      { a: { text: "2", mode: 0o666 }, b: { text: "1", mode: 0o646 } },
    );
    expect(await fixture.deliver()).toMatchObject({ reduced: [{ path: "b", from: 0o646, to: 0o644 }] });
    expect([modeOf(fixture, "a"), modeOf(fixture, "b")]).toEqual([0o666, 0o644]);
  });

  it("are all there is to it: then nothing is changed, and that is said", async () => {
    const fixture = prepareDelivery({ a: file(0o644) }, { a: file(0o666) });
    expect(await fixture.deliver()).toEqual({
      kind: "nothing",
      reduced: [{ path: "a", from: 0o666, to: 0o644 }],
    });
  });

  it("never run a file with its owner's rights", async () => {
    for (const mode of [0o4755, 0o2755]) {
      await expect(prepareDelivery({}, { a: file(mode) }).deliver()).rejects.toMatchObject({
        code: "policy.path_denied",
      });
    }
  });
});
