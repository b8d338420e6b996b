import * as z from "zod";
import { ExtensionProblem, InstalledExtension } from "../extension/index.ts";
import { defineOperation } from "./operation.ts";

const tag = "extensions";
const ExtensionParams = z.object({ id: z.string() });

const Planned = z.object({
  outcome: z.literal("planned"),
  /** What it asks for. Sent again with `approved: plan.extension.hash`, exactly this is installed. */
  plan: z.object({
    extension: InstalledExtension.pick({ manifest: true, commands: true, hash: true, source: true }),
    installed: InstalledExtension.nullable(),
    added: z.array(z.string()),
    warnings: z.array(ExtensionProblem),
  }),
});

/** Nothing is installed that was not shown before: the first answer is the plan. */
const Installation = z.discriminatedUnion("outcome", [
  Planned,
  z.object({ outcome: z.literal("installed"), extension: InstalledExtension }),
]);

const consent = {
  /** The hash of the plan that was shown, and agreed to. Without it nothing is installed. */
  approved: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  by: z.string().min(1).max(128).optional(),
};

export const EXTENSIONS = {
  listExtensions: defineOperation({
    method: "get",
    path: "/extensions",
    tag,
    summary: "The extensions there are, with what they may do and whether they are enabled",
    response: z.object({ extensions: z.array(InstalledExtension) }),
  }),
  addExtension: defineOperation({
    method: "post",
    path: "/extensions",
    tag,
    summary: "Show what an extension asks for; with the hash of what was shown, install it",
    body: z.strictObject({
      /** A directory or a tarball of the server's machine, or the name of an npm package. */
      source: z.string().min(1),
      ...consent,
    }),
    response: Installation,
    idempotent: true,
  }),
  lintExtension: defineOperation({
    method: "post",
    path: "/extensions/lint",
    tag,
    summary: "What is wrong with an extension's directory, by file, line and field",
    body: z.strictObject({ directory: z.string().min(1) }),
    response: z.object({ ok: z.boolean(), problems: z.array(ExtensionProblem) }),
  }),
  getExtension: defineOperation({
    method: "get",
    path: "/extensions/{id}",
    tag,
    summary: "One extension, and how it is used",
    params: ExtensionParams,
    response: InstalledExtension.extend({ usage: z.string() }),
  }),
  updateExtension: defineOperation({
    method: "post",
    path: "/extensions/{id}/update",
    tag,
    summary: "Install it again from where it came; what it asks for anew is shown first",
    params: ExtensionParams,
    body: z.strictObject({ source: z.string().min(1).optional(), ...consent }),
    response: Installation,
    idempotent: true,
  }),
  enableExtension: defineOperation({
    method: "post",
    path: "/extensions/{id}/enable",
    tag,
    summary: "Let an extension be used",
    params: ExtensionParams,
    response: InstalledExtension,
    idempotent: true,
  }),
  disableExtension: defineOperation({
    method: "post",
    path: "/extensions/{id}/disable",
    tag,
    summary: "Keep an extension from being used",
    params: ExtensionParams,
    response: InstalledExtension,
    idempotent: true,
  }),
  removeExtension: defineOperation({
    method: "delete",
    path: "/extensions/{id}",
    tag,
    summary: "Remove an extension",
    params: ExtensionParams,
    response: z.object({ id: z.string(), removed: z.literal(true) }),
  }),
} as const;
