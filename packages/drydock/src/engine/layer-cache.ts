import { Layer, LayerDelta } from "@drydock/protocol";
import { applyDelta, describeDelta } from "./layer-delta.ts";
import type { Documents } from "./ports.ts";

/** Layers by the hash of their record. The content store has all of them, memory the ones used last. */
export interface LayerCache {
  keep(layer: Layer): Promise<string>;
  /** For layers that others read by themselves, such as the result of a run: never as a difference. */
  keepWhole(layer: Layer): Promise<string>;
  read(sha256: string): Promise<Layer>;
}

/** How many layers stay in memory. In a long chain of tasks each layer contains all earlier ones. */
const AT_HAND = 32;

/** Smaller layers are kept whole: what a difference would save does not pay for the second record to read. */
const LEAST_ENTRIES = 64;
/** A difference of more than this share of a layer is no saving. */
const LARGEST_SHARE = 0.25;
/** How many differences may lie between a layer and one that is kept whole: this is what reading one costs at most. */
const LONGEST_CHAIN = 64;

/**
 * In a chain of tasks each layer holds the changes of all tasks before it. It is kept as what sets it apart from the layer
 * kept before, so that a task costs what it changed and not what the run has changed so far.
 */
export function createLayerCache(documents: Pick<Documents, "keep" | "read">): LayerCache {
  const atHand = new Map<string, Layer>();
  let last: { sha256: string; layer: Layer; chain: number } | undefined;
  const place = (sha256: string, layer: Layer) => {
    atHand.delete(sha256);
    atHand.set(sha256, layer);
    for (const oldest of atHand.keys()) {
      if (atHand.size <= AT_HAND) break;
      atHand.delete(oldest);
    }
  };
  const describeShorter = (layer: Layer): LayerDelta | undefined => {
    if (!last || last.chain >= LONGEST_CHAIN || layer.entries.length < LEAST_ENTRIES) return undefined;
    const delta = describeDelta(layer, last.layer, last.sha256);
    const size = delta.entries.length + delta.without.length;
    return size <= layer.entries.length * LARGEST_SHARE ? delta : undefined;
  };
  const read = async (sha256: string): Promise<Layer> => {
    const differences: LayerDelta[] = [];
    let layer: Layer | undefined;
    for (let next = sha256; !layer; ) {
      layer = atHand.get(next);
      if (layer) break;
      const record: unknown = JSON.parse(await documents.read(next));
      const delta = LayerDelta.safeParse(record).data;
      if (delta) {
        differences.push(delta);
        next = delta.onto;
      } else {
        layer = Layer.parse(record);
      }
    }
    for (const delta of differences.reverse()) layer = applyDelta(delta, layer);
    return layer;
  };
  const write = async (layer: Layer, delta: LayerDelta | undefined) => {
    const chain = delta && last ? last.chain + 1 : 0;
    const sha256 = await documents.keep(JSON.stringify(delta ?? layer));
    last = { sha256, layer, chain };
    place(sha256, layer);
    return sha256;
  };
  return {
    keep: (layer) => write(layer, describeShorter(layer)),
    keepWhole: (layer) => write(layer, undefined),
    async read(sha256) {
      const layer = await read(sha256);
      place(sha256, layer);
      return layer;
    },
  };
}
