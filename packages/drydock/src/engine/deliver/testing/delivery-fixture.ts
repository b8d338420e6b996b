import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Layer } from "@drydock/protocol";
import { createPathRules } from "../../../policy/index.ts";
import { type DeliverOptions, deliverLayer, type LayerContents, type LayerDeliveryOutcome } from "../deliver-layer.ts";
import { type RevertOptions, revertDelivery } from "../revert-delivery.ts";
import { makeDirectory, makeLayer, openStore, type Picture, paint } from "./trees.ts";

export const RULES = createPathRules({
  files: { access: true, write: ["**"], protect: [".git/**", ".drydock/**"], hide: ["**/.env"] },
});

export interface DeliveryFixture {
  workspace: string;
  home: string;
  journalDirectory: string;
  /** A directory that looks as the workspace should afterwards. */
  wanted: string;
  layer: Layer;
  contents: LayerContents;
  deliver(more?: Partial<DeliverOptions>): Promise<LayerDeliveryOutcome>;
  revert(more?: Partial<RevertOptions>): Promise<LayerDeliveryOutcome>;
}

/** A workspace, and the layer that turns it into something else. */
export function prepareDelivery(before: Picture, after: Picture, place?: string): DeliveryFixture {
  const root = makeDirectory(place);
  const [workspace = "", wanted = "", home = "", store = ""] = ["workspace", "wanted", "home", "store"].map((name) => {
    mkdirSync(join(root, name));
    return join(root, name);
  });
  paint(workspace, before);
  paint(wanted, after);
  const layer = makeLayer(workspace, wanted, store);
  const contents = openStore(store);
  const journalDirectory = join(home, "deliveries", "run_1");
  const options = { workspace, journalDirectory, contents };
  return {
    ...options,
    home,
    wanted,
    layer,
    deliver: (more) => deliverLayer({ ...options, layer, rules: RULES, ...more }),
    revert: (more) => revertDelivery({ ...options, ...more }),
  };
}
