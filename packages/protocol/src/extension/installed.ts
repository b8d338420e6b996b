import * as z from "zod";
import { ExtensionCommand } from "./commands.ts";
import { ExtensionManifest } from "./manifest.ts";

export const ExtensionState = z
  .enum(["enabled", "disabled", "quarantined"])
  .describe("Whether it can be used. `quarantined`: its files differ from what was approved.");
export type ExtensionState = z.infer<typeof ExtensionState>;

/** An extension as it is installed. */
export const InstalledExtension = z.object({
  manifest: ExtensionManifest.describe("Its `extension.yaml`: what it is, and what it may use."),
  commands: z.array(ExtensionCommand).describe("Its `commands.yaml`: what can be called."),
  state: ExtensionState,
  problem: z.string().nullable().describe("Why it is quarantined; null if it is not."),
  hash: z.string().describe("SHA-256 over all of its files, as they were approved."),
  source: z.string().describe("Directory, tarball or npm package that it came from, or `built-in`."),
  builtIn: z.boolean().describe("True if it comes with Drydock."),
  installedAt: z.string().describe("When it was installed, ISO 8601 in UTC."),
  installedBy: z.string().describe("Who approved the installation, as they named themselves."),
});
export type InstalledExtension = z.infer<typeof InstalledExtension>;

/** One thing that is wrong with an extension, and where. */
export const ExtensionProblem = z.object({
  file: z.string().describe("File of the extension, such as `commands.yaml`."),
  line: z.number().int().nullable().describe("Line of the problem, counted from 1; null for the whole file."),
  column: z.number().int().nullable().describe("Column of the problem, counted from 1; null for the whole file."),
  field: z.string().describe("Path of the field, such as `commands[0].name`; empty for the whole file."),
  message: z.string().describe("What is wrong, in one sentence."),
  severity: z.enum(["error", "warning"]).describe("An `error` prevents the installation; a `warning` does not."),
});
export type ExtensionProblem = z.infer<typeof ExtensionProblem>;

/** What an extension asks for, before it is installed or updated. */
export const InstallPlan = z.object({
  extension: InstalledExtension.pick({ manifest: true, commands: true, hash: true, source: true }).describe(
    "What would be installed.",
  ),
  installed: InstalledExtension.nullable().describe("The version that is installed now; null without one."),
  added: z.array(z.string()).describe("Permissions that the installed version does not have, one line each."),
  warnings: z.array(ExtensionProblem).describe("Problems that do not prevent the installation."),
});
export type InstallPlan = z.infer<typeof InstallPlan>;
