/*
 * A process of its own that delivers, or recovers, and kills itself: `deliver-child.ts ARGUMENTS` with JSON. It prints how
 * many steps there were where it lives to the end, and the error where it fails.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Layer } from "@drydock/protocol";
import { createPathRules } from "../../../policy/index.ts";
import { deliverLayer } from "../deliver-layer.ts";
import { recoverDeliveries } from "../recover-deliveries.ts";
import { revertDelivery } from "../revert-delivery.ts";
import type { ChildArguments } from "./spawn-delivery.ts";

const args = JSON.parse(process.argv[2] ?? "") as ChildArguments;
const { mode, home, workspace, journalDirectory, store, layerFile, killAt, disturb } = args;
let steps = 0;
const onStep = (step: string) => {
  steps += 1;
  if (disturb && step === "prepared") writeFileSync(`${workspace}/${disturb}`, "mine");
  if (steps === killAt) process.kill(process.pid, "SIGKILL");
};
const contents = {
  path: async (sha256: string) => `${store}/${sha256}`,
  read: async (sha256: string) => readFileSync(`${store}/${sha256}`),
};
const files = { access: true, write: ["**"], protect: [], hide: [] };
const common = { workspace, journalDirectory, contents, onStep };

async function act(): Promise<unknown> {
  switch (mode) {
    case "deliver":
      return deliverLayer({
        ...common,
        layer: Layer.parse(JSON.parse(readFileSync(layerFile, "utf8"))),
        rules: createPathRules({ files }),
      });
    case "revert":
      return revertDelivery(common);
    case "recover":
      return recoverDeliveries(home, { record: async () => {}, onStep });
    default:
      return mode satisfies never;
  }
}

try {
  const outcome = await act();
  console.log(JSON.stringify({ steps, outcome }));
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  console.log(JSON.stringify({ steps, error: { code, message } }));
}
