import { cp, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { PluginRuntime } from "@drydock/protocol/runner";
import { RUNNER_SDK } from "./runner-sdk-files.ts";

/** Puts the SDK of this version beside the plugin, where the plugin does not bring one. Inside the sandbox nothing else is found. */
export async function placeRunnerSdk(directory: string, runtime: PluginRuntime): Promise<void> {
  const target =
    runtime === "python"
      ? join(directory, "drydock_runner")
      : join(directory, "node_modules", "@drydock", "runner-sdk");
  if ((await stat(target).catch(() => null)) !== null) return;
  if (runtime === "python") return copy(RUNNER_SDK.python, target);
  await mkdir(target, { recursive: true });
  await copy(RUNNER_SDK.manifest, join(target, "package.json"));
  await copy(RUNNER_SDK.node, join(target, "dist"));
}

async function copy(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true }).catch((error: Error) => {
    const hint = "Install Drydock again: its build is not complete. In a clone: `npm run build`.";
    throw new DrydockError("runner.unavailable", `The SDK for runners is missing: ${error.message}`, hint);
  });
}
