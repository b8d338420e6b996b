import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DrydockError } from "@drydock/protocol";
import type { PluginManifest } from "@drydock/protocol/runner";
import { readProcessStart } from "../../../../base/processes/index.ts";
import { type OpenLink, openRelay } from "../../../../host/index.ts";
import type { DevelopedPlugin, DevelopOptions } from "../../api.ts";
import { fingerprintOf } from "../discover-plugins.ts";
import { readPluginManifest } from "../read-plugin.ts";
import { stagePlugin } from "../stage-plugin.ts";
import type { Developments } from "./developments.ts";

export interface DevelopPorts {
  /** `plugins` of the home. */
  root: string;
  developments: Developments;
  openProgram(plugin: Pick<PluginManifest, "command" | "sandbox"> & { directory: string }): OpenLink;
}

const LOOK_MS = 300;

/*
 * reading ──► offered ──► reading    the files have changed; a version that can't be used is reported, and the last one stays
 *                 └─────► closed
 */
export async function developPlugin(
  { root, developments, openProgram }: DevelopPorts,
  path: string,
  { attach = false, onLog = () => {}, onChange = () => {} }: DevelopOptions = {},
): Promise<DevelopedPlugin> {
  const directory = resolve(path);
  const first = await readPluginManifest(directory);
  const id = `${first.author}/${first.name}`;
  if (developments.find(id)) throw taken(id);
  const session = randomBytes(6).toString("hex");
  const stage = async (fingerprint: string) => {
    const copy = join(root, ".dev", `${first.author}@${first.name}.${session}-${fingerprint.slice(0, 12)}`);
    const { author, name } = await readPluginManifest(directory);
    if (`${author}/${name}` !== id) throw renamed(id);
    await rm(copy, { recursive: true, force: true });
    const { manifest } = await stagePlugin({ kind: "directory", path: directory }, copy);
    return { manifest, copy };
  };
  let fingerprint = await fingerprintOf(directory);
  let staged = await stage(fingerprint);
  const openLink = () => openProgram({ ...staged.manifest, directory: staged.copy });
  const relay = await openRelay({ openLink: attach ? null : openLink, onLog });
  const offer = () =>
    developments.write({
      ...{ manifest: staged.manifest, directory, fingerprint: `${session}-${fingerprint}`, isExclusive: attach },
      ...{ ...relay.host, pid: process.pid, startTime: readProcessStart(process.pid) ?? "" },
    });
  await offer();

  const reload = async () => {
    const now = await fingerprintOf(directory).catch(() => fingerprint);
    if (now === fingerprint) return;
    fingerprint = now;
    try {
      const before = staged;
      staged = await stage(now);
      await offer();
      relay.restart("The plugin has changed.");
      await rm(before.copy, { recursive: true, force: true });
      onChange(null);
    } catch (error) {
      onChange(error instanceof Error ? error.message : String(error));
    }
  };
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => {});
      if (!stop.signal.aborted) await reload();
    }
  })();
  return {
    id,
    attach: attach ? relay.runner : null,
    async close() {
      stop.abort();
      await watching;
      await developments.remove(id);
      await relay.close();
      await rm(staged.copy, { recursive: true, force: true });
    },
  };
}

function taken(id: string): DrydockError {
  const hint = "End the other `drydock plugin dev` first.";
  return new DrydockError("input.invalid", `Another process develops the plugin ${id}.`, hint, { plugin: id });
}

function renamed(id: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `plugin.yaml no longer names ${id}.`,
    "Start `drydock plugin dev` again to develop it under another name.",
    { plugin: id },
  );
}
