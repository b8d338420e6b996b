import * as z from "zod";

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
const HostWish = z.string().min(1).max(260);

/** All that an extension's commands may ever use. What is not asked for here is not to be had. */
export const ExtensionPermissions = z.strictObject({
  tools: z.array(ToolName).max(64).default([]),
  hosts: z.array(HostWish).max(64).default([]),
  /** Variables of the host's environment. */
  environment: z.array(VariableName).max(64).default([]),
  /** Names in the owner's secret store. */
  secrets: z.array(VariableName).max(64).default([]),
  /** Of the user's workspace, where a command is given one; globs. Nothing is changed unless `write` names it. */
  paths: z
    .strictObject({
      read: z.array(z.string().min(1)).max(64).default([]),
      write: z.array(z.string().min(1)).max(64).default([]),
    })
    .prefault({}),
  /** More than the usual limits, within the policy's ceiling. */
  limits: z
    .strictObject({
      memoryMb: z.number().positive().optional(),
      processes: z.number().int().positive().optional(),
      diskMb: z.number().positive().optional(),
      outputMb: z.number().positive().optional(),
      openFiles: z.number().int().positive().optional(),
    })
    .prefault({}),
});
export type ExtensionPermissions = z.infer<typeof ExtensionPermissions>;

/** Puts one file, or the contents of one archive, into the extension's own folder. The hash is that of what is fetched. */
export const InstallStep = z
  .strictObject({
    /** A file that the extension brings along. */
    file: InnerPath.optional(),
    /** Or one that is fetched, from this host only. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    sha256: Sha256,
    /** Where it goes: `tools/x`, or for an archive the folder it is unpacked in. */
    to: InnerPath.refine((path) => /^(tools|bin)(\/|$)/.test(path), { error: "must lie in tools/ or bin/" }),
    unpack: z.enum(["tar.gz", "tar", "zip"]).optional(),
    executable: z.boolean().default(true),
    /** Only on these; everywhere where it is missing. */
    platforms: z.array(z.string()).optional(),
  })
  .refine((step) => (step.file === undefined) !== (step.url === undefined), {
    error: "needs either `file` or `url`",
  });
export type InstallStep = z.infer<typeof InstallStep>;

/** `extension.yaml`. */
export const ExtensionManifest = z.strictObject({
  id: ExtensionId,
  version: ExtensionVersion,
  name: z.string().min(1).max(80),
  description: z.string().min(1).max(2000),
  homepage: z.url().optional(),
  license: z.string().max(80).optional(),
  /** `linux`, `linux-x64`, `linux-arm64`; everywhere where it is missing. */
  platforms: z.array(z.enum(["linux", "linux-x64", "linux-arm64"])).optional(),
  permissions: ExtensionPermissions.prefault({}),
  install: z.array(InstallStep).max(64).default([]),
});
export type ExtensionManifest = z.infer<typeof ExtensionManifest>;
