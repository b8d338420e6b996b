import * as z from "zod";
import { ExtensionProblem, InstalledExtension, InstallPlan } from "../extension/index.ts";
import { defineOperation } from "./operation.ts";
import { byField } from "./request-fields.ts";

const tag = "extensions";
const extensionId = z.string().describe("Id of the extension, such as `csv`, as `GET /extensions` lists it.");
const ExtensionParams = z.object({ id: extensionId });

const Planned = z.object({
  outcome: z.literal("planned").describe("Nothing is installed yet: the plan waits for approval."),
  plan: InstallPlan.describe(
    "What it asks for. The same request with `approved` set to `plan.extension.hash` installs exactly this.",
  ),
});

/** Nothing is installed that was not shown before: the first answer is the plan. */
const Installation = z.discriminatedUnion("outcome", [
  Planned,
  z.object({
    outcome: z.literal("installed").describe("The extension is installed."),
    extension: InstalledExtension.describe("The extension as it is installed."),
  }),
]);

const consent = {
  approved: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe("`plan.extension.hash` of the plan that a person approved. Default: only show the plan."),
  by: byField,
};

export const EXTENSIONS = {
  listExtensions: defineOperation({
    method: "get",
    path: "/extensions",
    tag,
    client: "extensions.list",
    summary: "The extensions there are, with what they may do and whether they are enabled",
    description: "Lists the installed extensions: what they may do, and whether they are enabled.",
    scope: "read",
    response: z.object({ extensions: z.array(InstalledExtension).describe("Every extension, enabled or not.") }),
  }),
  addExtension: defineOperation({
    method: "post",
    path: "/extensions",
    tag,
    client: "extensions.add",
    summary: "Show the permissions of an extension; with `approved`, install it",
    description:
      "Installs an extension in two requests. The first shows what it may do and returns a hash; the second repeats that hash and installs exactly what was shown.",
    scope: "admin",
    body: z.strictObject({
      source: z
        .string()
        .min(1)
        .describe("A directory or tarball of the server's machine, or the name of an npm package."),
      ...consent,
    }),
    response: Installation,
    idempotent: true,
  }),
  lintExtension: defineOperation({
    method: "post",
    path: "/extensions/lint",
    tag,
    client: "extensions.lint",
    clientArguments: ["directory"],
    summary: "What is wrong with an extension's directory, by file, line and field",
    description:
      "Checks the files of an extension, and lists every problem with file, line and field. Nothing is installed.",
    scope: "run",
    body: z.strictObject({
      directory: z.string().min(1).describe("Absolute path of the extension's directory on the server's machine."),
    }),
    response: z.object({
      ok: z.boolean().describe("True if there are no errors. There may be warnings."),
      problems: z.array(ExtensionProblem).describe("Everything that is wrong, errors and warnings."),
    }),
  }),
  getExtension: defineOperation({
    method: "get",
    path: "/extensions/{id}",
    tag,
    client: "extensions.get",
    summary: "One extension, and how it is used",
    description: "Shows one extension: its commands, its permissions, and how to use it.",
    scope: "read",
    params: ExtensionParams,
    response: InstalledExtension.extend({
      usage: z.string().describe("Its `docs/USAGE.md`: how it is used, as Markdown."),
    }),
  }),
  updateExtension: defineOperation({
    method: "post",
    path: "/extensions/{id}/update",
    tag,
    client: "extensions.update",
    summary: "Install it again from its source; new permissions are shown first",
    description:
      "Installs an extension again from its source. New permissions are shown first, as with a new extension.",
    scope: "admin",
    params: ExtensionParams,
    body: z.strictObject({
      source: z.string().min(1).optional().describe("Where to install it from. Default: where it came from."),
      ...consent,
    }),
    response: Installation,
    idempotent: true,
  }),
  enableExtension: defineOperation({
    method: "post",
    path: "/extensions/{id}/enable",
    tag,
    client: "extensions.enable",
    summary: "Enable an extension",
    description: "Makes the commands of an installed extension available.",
    scope: "admin",
    params: ExtensionParams,
    response: InstalledExtension,
    idempotent: true,
  }),
  disableExtension: defineOperation({
    method: "post",
    path: "/extensions/{id}/disable",
    tag,
    client: "extensions.disable",
    summary: "Disable an extension",
    description: "Makes the commands of an extension unavailable. It stays installed.",
    scope: "admin",
    params: ExtensionParams,
    response: InstalledExtension,
    idempotent: true,
  }),
  removeExtension: defineOperation({
    method: "delete",
    path: "/extensions/{id}",
    tag,
    client: "extensions.remove",
    summary: "Remove an extension",
    description: "Removes an extension and its files. Records of its calls stay in the ledger.",
    scope: "admin",
    params: ExtensionParams,
    response: z.object({ id: extensionId, removed: z.literal(true).describe("True once the extension is removed.") }),
  }),
} as const;
