import * as z from "zod";
import { ExtensionCommand } from "./commands.ts";
import { ExtensionManifest } from "./manifest.ts";

export const ExtensionState = z.enum(["enabled", "disabled", "quarantined"]);
export type ExtensionState = z.infer<typeof ExtensionState>;

/** An extension as it is installed. */
export const InstalledExtension = z.object({
  manifest: ExtensionManifest,
  commands: z.array(ExtensionCommand),
  state: ExtensionState,
  /** Why it is quarantined. */
  problem: z.string().nullable(),
  /** Over every file of it, tools included: what was agreed to. */
  hash: z.string(),
  /** Where it came from, as it was said; `built-in` for those that come with Drydock. */
  source: z.string(),
  builtIn: z.boolean(),
  installedAt: z.string(),
  installedBy: z.string(),
});
export type InstalledExtension = z.infer<typeof InstalledExtension>;

/** One thing that is wrong with an extension, and where. */
export const ExtensionProblem = z.object({
  file: z.string(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  /** The field, dotted; empty where it is the whole file. */
  field: z.string(),
  message: z.string(),
  /** An error keeps it from being installed; a warning does not. */
  severity: z.enum(["error", "warning"]),
});
export type ExtensionProblem = z.infer<typeof ExtensionProblem>;
