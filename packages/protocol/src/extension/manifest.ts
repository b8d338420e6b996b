import * as z from "zod";
import { LIMIT_KEYS, LIMITS, type PermittedLimitKey } from "../limits.ts";

/** `csv`, `tools.postman`: also the name of its folder, so nothing that a path could misread. */
export const ExtensionId = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9]*([.-][a-z0-9]+)*$/, "must be lower-case words joined by . or -");
export type ExtensionId = z.infer<typeof ExtensionId>;

export const ExtensionVersion = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, "must be a version like 1.2.0");

export const ToolName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/, "must be the name of a program, without a path");

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits in lower case");

/** A path within the extension, or within a workspace: relative, and never upwards. */
export const InnerPath = z
  .string()
  .min(1)
  .max(1024)
  .refine((path) => !path.includes("\0") && !path.startsWith("/") && !path.split("/").includes(".."), {
    error: "must be a relative path without `..`",
  });

const VariableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable");

/** A host that the extension asks for by name, or `policy`: whichever hosts the owner's policy allows. */
const HostRequest = z.string().min(1).max(260);

const PERMITTED_LIMITS = Object.fromEntries(
  LIMIT_KEYS.flatMap((key) => {
    const row = LIMITS[key];
    if (!("permission" in row)) return [];
    const value = row.unit === "count" ? z.number().int().positive() : z.number().positive();
    return [[key, value.optional().describe(row.permission)]];
  }),
) as Record<PermittedLimitKey, z.ZodOptional<z.ZodNumber>>;

/** All that an extension's commands may ever use. Everything else is denied. */
export const ExtensionPermissions = z.strictObject({
  tools: z
    .array(ToolName)
    .max(64)
    .default([])
    .describe("Programs that its actions may start, by name, without a path."),
  hosts: z
    .array(HostRequest)
    .max(64)
    .default([])
    .describe("Hosts that it may reach: `api.example.org:443`, or `policy` for those that the owner's policy allows."),
  environment: z
    .array(VariableName)
    .max(64)
    .default([])
    .describe("Names of environment variables of the host that it may see."),
  secrets: z.array(VariableName).max(64).default([]).describe("Names of secrets in the owner's store that it may use."),
  paths: z
    .strictObject({
      read: z.array(z.string().min(1)).max(64).default([]).describe("Globs of files that its actions see."),
      write: z.array(z.string().min(1)).max(64).default([]).describe("Globs of files that its actions may change."),
    })
    .prefault({})
    .describe("Files of the user's workspace that it may use."),
  limits: z
    .strictObject(PERMITTED_LIMITS)
    .prefault({})
    .describe("Limits above the policy's defaults, up to its ceiling. Default: the policy's."),
});
export type ExtensionPermissions = z.infer<typeof ExtensionPermissions>;

/** Puts one file, or the contents of one archive, into the extension's own folder. The hash is that of what is fetched. */
export const InstallStep = z
  .strictObject({
    file: InnerPath.optional().describe("Path of a file in the extension. Give either `file` or `url`."),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("Address of a file that is downloaded. Give either `file` or `url`."),
    sha256: Sha256.describe("SHA-256 of the file, 64 hexadecimal digits in lower case."),
    to: InnerPath.refine((path) => /^(tools|bin)(\/|$)/.test(path), { error: "must lie in tools/ or bin/" }).describe(
      "Where the file goes, such as `tools/x`. For an archive: the folder that it is unpacked in.",
    ),
    unpack: z
      .enum(["tar.gz", "tar", "zip"])
      .optional()
      .describe("Format of an archive. Default: it is not an archive."),
    executable: z.boolean().default(true).describe("True if the single file is a program."),
    platforms: z
      .array(z.string())
      .optional()
      .describe("Platforms on which the step is done, such as `linux-x64`. Default: all."),
  })
  .refine((step) => (step.file === undefined) !== (step.url === undefined), {
    error: "needs either `file` or `url`",
  });
export type InstallStep = z.infer<typeof InstallStep>;

/** `extension.yaml`. */
export const ExtensionManifest = z.strictObject({
  id: ExtensionId.describe("Id of the extension: lower-case words joined by `.` or `-`, such as `tools.postman`."),
  version: ExtensionVersion.describe("Version of the extension, such as `1.2.0`."),
  name: z.string().min(1).max(80).describe("Name for people, at most 80 characters."),
  description: z.string().min(1).max(2000).describe("What the extension is for, at most 2000 characters."),
  homepage: z.url().optional().describe("Address of a page about the extension."),
  license: z.string().max(80).optional().describe("Licence of the extension, such as `Apache-2.0`."),
  platforms: z
    .array(z.enum(["linux", "linux-x64", "linux-arm64"]))
    .optional()
    .describe("Platforms that it works on. Default: all."),
  permissions: ExtensionPermissions.prefault({}).describe("Everything that its actions may use. Default: nothing."),
  install: z
    .array(InstallStep)
    .max(64)
    .default([])
    .describe("Files that are put into its `tools/` and `bin/` when it is installed, at most 64."),
});
export type ExtensionManifest = z.infer<typeof ExtensionManifest>;
