import { Layer } from "@drydock/protocol";
import type { Documents } from "./ports.ts";

/** Layers by the hash of their record. The content store has all of them, memory the ones used last. */
export interface LayerCache {
  keep(layer: Layer): Promise<string>;
  read(sha256: string): Promise<Layer>;
}

/** How many layers stay in memory. In a long chain of tasks each layer contains all earlier ones. */
const AT_HAND = 32;

export function createLayerCache(documents: Pick<Documents, "keep" | "read">): LayerCache {
  const atHand = new Map<string, Layer>();
  const place = (sha256: string, layer: Layer) => {
    atHand.delete(sha256);
    atHand.set(sha256, layer);
    for (const oldest of atHand.keys()) {
      if (atHand.size <= AT_HAND) break;
      atHand.delete(oldest);
    }
  };
  return {
    async keep(layer) {
      const sha256 = await documents.keep(JSON.stringify(layer));
      place(sha256, layer);
      return sha256;
    },
    async read(sha256) {
      const layer = atHand.get(sha256) ?? Layer.parse(JSON.parse(await documents.read(sha256)));
      place(sha256, layer);
      return layer;
    },
  };
}
