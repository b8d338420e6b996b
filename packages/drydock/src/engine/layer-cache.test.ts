import { createHash } from "node:crypto";
import { Layer, type LayerEntry } from "@drydock/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLayerCache } from "./layer-cache.ts";

function openStore() {
  const texts = new Map<string, string>();
  const documents = {
    keep: async (text: string) => {
      const sha256 = createHash("sha256").update(text).digest("hex");
      texts.set(sha256, text);
      return sha256;
    },
    read: async (sha256: string) => texts.get(sha256) ?? expect.unreachable(`nobody kept ${sha256}`),
  };
  return { texts, documents };
}

function addFile(index: number, letter = "a"): LayerEntry {
  const path = `out-${String(index).padStart(4, "0")}.txt`;
  return { path, kind: "added", type: "file", mode: 0o644, size: 1, sha256: letter.repeat(64) };
}

function makeLayer(entries: LayerEntry[], treeHash = "tree"): Layer {
  return { version: 1, workspace: "/w", baseHash: "base", treeHash, entries, changedUnderneath: [], denied: [] };
}

const growing = (count: number) =>
  Array.from({ length: count }, (_, size) =>
    makeLayer(
      Array.from({ length: size + 1 }, (_, index) => addFile(index)),
      `t${size}`,
    ),
  );

test("layers of a long chain take space for what each task changed, and are read as they were", async () => {
  const { texts, documents } = openStore();
  const layers = growing(600);
  const cache = createLayerCache(documents);
  const kept: string[] = [];
  for (const layer of layers) kept.push(await cache.keep(layer));
  const whole = layers.reduce((sum, layer) => sum + JSON.stringify(layer).length, 0);
  const stored = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
  expect(stored).toBeLessThan(whole / 10);
  const another = createLayerCache(documents);
  for (const index of [0, 63, 64, 100, 128, 300, 599]) {
    expect(await another.read(kept[index] ?? "")).toEqual(layers[index]);
  }
});

test("reading one layer of a long chain takes a bounded number of records", async () => {
  const { documents } = openStore();
  const kept: string[] = [];
  const cache = createLayerCache(documents);
  for (const layer of growing(500)) kept.push(await cache.keep(layer));
  let reads = 0;
  const counting = { ...documents, read: (sha256: string) => documents.read(sha256).finally(() => reads++) };
  for (const sha256 of kept.slice(-70)) {
    reads = 0;
    await createLayerCache(counting).read(sha256);
    expect(reads).toBeLessThanOrEqual(65);
  }
});

test("the record of a difference is not taken for a whole layer", async () => {
  const { texts, documents } = openStore();
  const cache = createLayerCache(documents);
  for (const layer of growing(66)) await cache.keep(layer);
  const last: unknown = JSON.parse([...texts.values()].at(-1) ?? "");
  expect(last).toMatchObject({ onto: expect.any(String) });
  expect(Layer.safeParse(last).success).toBe(false);
});

test("any sequence of layers is read as it was kept", async () => {
  const entry = fc.record({ index: fc.nat({ max: 300 }), letter: fc.constantFrom("a", "b", "c") });
  const sequence = fc.array(fc.array(entry, { maxLength: 12 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sequence, fc.nat({ max: 200 }), async (changes, start) => {
      const { documents } = openStore();
      const cache = createLayerCache(documents);
      const files = new Map(Array.from({ length: start }, (_, index) => [index, addFile(index)]));
      const kept: { sha256: string; layer: Layer }[] = [];
      for (const change of changes) {
        for (const { index, letter } of change) {
          // The letter c takes a change back: what was in the layer before it is there no more.
          if (letter === "c") files.delete(index);
          else files.set(index, addFile(index, letter));
        }
        const entries = [...files].sort(([left], [right]) => left - right).map(([, file]) => file);
        const layer = makeLayer(entries, `t${kept.length}`);
        kept.push({ sha256: await cache.keep(layer), layer });
      }
      for (const { sha256, layer } of kept) expect(await createLayerCache(documents).read(sha256)).toEqual(layer);
    }),
    { numRuns: 60 },
  );
});
