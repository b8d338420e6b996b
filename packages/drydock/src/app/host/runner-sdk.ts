import { cp, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { PluginRuntime } from "@drydock/protocol/runner";
import { RUNNER_SDK } from "./runner-sdk-files.ts";

/** Puts the SDK of this version beside the plugin, where the plugin does not bring one. Inside the sandbox nothing else is found. */
export async function placeRunnerSdk(directory: string, runtime: PluginRuntime): Promise<void> {
  if (runtime === "python") {
    await copyUnlessThere(RUNNER_SDK.python, join(directory, "drydock_runner"));
    return;
  }
  const target = join(directory, "node_modules", "@drydock", "runner-sdk");
  if (await isThere(target)) return;
  await mkdir(target, { recursive: true });
  await copyUnlessThere(RUNNER_SDK.node, join(target, "index.js"));
  const manifest = { name: "@drydock/runner-sdk", version: "0.1.0", type: "module", exports: "./index.js" };
  await writeFile(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function copyUnlessThere(source: string, target: string): Promise<void> {
  if (await isThere(target)) return;
  const filter = (path: string) => !path.endsWith("__pycache__");
  await cp(source, target, { recursive: true, filter }).catch((error: Error) => {
    const hint = "Install Drydock again: its build is not complete. In a clone: `npm run build`.";
    throw new DrydockError("runner.unavailable", `The SDK for runners is missing: ${error.message}`, hint);
  });
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
