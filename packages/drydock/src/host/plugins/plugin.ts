import type { PluginManifest } from "@drydock/protocol/runner";

/** A plugin that is installed: where it lies, and how its process is started. */
export interface Plugin {
  /** `author/name`. */
  id: string;
  author: string;
  name: string;
  version: string;
  directory: string;
  /** Program and arguments, as the sandbox starts them in the plugin's directory. */
  command: string[];
  sandbox: PluginManifest["sandbox"];
  /** Another text where its files have changed: its process is then replaced. */
  fingerprint: string;
  /** Only one process can be there at a time: its author has started it. */
  isExclusive?: boolean;
}
