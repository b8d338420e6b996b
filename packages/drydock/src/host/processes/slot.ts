import { DrydockError } from "@drydock/protocol";
import type { Plugin } from "../plugins/plugin.ts";
import type { PluginProcess } from "./plugin-process.ts";

/** The place of one plugin's process. */
export interface Slot {
  starting: Promise<PluginProcess> | null;
  /** How many wait for the start. */
  waiting: number;
  ready: PluginProcess | null;
  /** The end of a process that gets no new runs. */
  leaving: Promise<void> | null;
  /** What the delay is for: files that have changed since begin anew. */
  fingerprint: string;
  lastUsedMs: number;
  failures: number;
  retryAtMs: number;
  reason: DrydockError | null;
}

export function tooMany(most: number): DrydockError {
  const hint = "Wait until some of their runs have ended.";
  return new DrydockError("runner.unavailable", `${most} processes of plugins have runs already.`, hint, { most });
}

export function unavailable({ id }: Plugin, { reason, retryAtMs, failures }: Slot, nowMs: number): DrydockError {
  const waitMs = Math.max(0, retryAtMs - nowMs);
  const why = reason ? ` ${reason.message}` : "";
  const message = `The plugin ${id} can't be used: it failed ${failures === 1 ? "once" : `${failures} times`}.${why}`;
  const hint = `The next start is tried in ${Math.ceil(waitMs / 1000)} s. \`drydock plugin dev DIRECTORY\` shows all that the plugin writes.`;
  return new DrydockError("runner.unavailable", message, hint, { plugin: id, retryInMs: waitMs }, reason ?? undefined);
}
