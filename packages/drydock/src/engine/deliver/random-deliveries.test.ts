import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { prepareDelivery } from "./testing/delivery-fixture.ts";
import { MEMORY, type Picture, paint, readTree } from "./testing/trees.ts";

/** A small tree: few names, so that files, directories and symlinks take each other's place often. */
const node: fc.Arbitrary<Picture[string] | null> = fc.oneof(
  fc.constant(null),
  fc.constantFrom("x", "y", "one\ntwo\nthree\n").map((text) => ({ text, mode: 0o644 })),
  fc.constantFrom(0o600, 0o755).map((mode) => ({ text: "x", mode })),
  fc.constantFrom("a", "b/away").map((link) => ({ link })),
);
const tree: fc.Arbitrary<Picture> = fc
  .array(fc.tuple(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }), node), { maxLength: 7 })
  .map((nodes) => {
    const picture: Picture = {};
    for (const [names, what] of nodes) {
      const path = names.join("/");
      const clashes = Object.keys(picture).some(
        (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
      );
      if (!clashes && what !== null) picture[path] = what;
    }
    return picture;
  });

it("any tree becomes any other, and comes back", async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (before, after) => {
      const fixture = prepareDelivery(before, after, MEMORY);
      const old = readTree(fixture.workspace);
      const { kind } = await fixture.deliver();
      expect(kind).toBe(fixture.layer.entries.length === 0 ? "nothing" : "applied");
      expect(readTree(fixture.workspace)).toEqual(readTree(fixture.wanted));
      await fixture.revert();
      expect(readTree(fixture.workspace)).toEqual(old);
    }),
    { numRuns: 60 },
  );
});

it("whatever the user made of it meanwhile, all of it is delivered, or nothing is touched", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(tree, tree, tree, async (before, after, meanwhile) => {
      const fixture = prepareDelivery(before, after, MEMORY);
      rmSync(fixture.workspace, { recursive: true });
      mkdirSync(fixture.workspace);
      paint(fixture.workspace, meanwhile);
      const mine = readTree(fixture.workspace);
      const outcome = await fixture.deliver();
      outcomes.add(outcome.kind);
      if (outcome.kind === "applied") {
        await fixture.revert();
        expect(readTree(fixture.workspace)).toEqual(mine);
      } else {
        expect(readTree(fixture.workspace)).toEqual(mine);
      }
      const open = join(fixture.home, "deliveries", "open");
      expect(existsSync(open) ? readTree(open) : []).toEqual([]);
    }),
    { numRuns: 100 },
  );
  expect(outcomes).toContain("applied");
  expect(outcomes).toContain("conflict");
});
