import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { ArchiveKind } from "../archive/unpack-archive.ts";

export type ExtensionSource =
  | { kind: "directory"; path: string }
  | { kind: "archive"; path: string; format: ArchiveKind }
  | { kind: "npm"; name: string; version: string };

const NPM_SPEC =
  /^(?:npm:)?((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@([A-Za-z0-9][A-Za-z0-9._+-]*))?$/;

/** Finds what the source means. A path on this machine comes before a registry's package of the same name. */
export async function parseSource(text: string): Promise<ExtensionSource> {
  const npm = NPM_SPEC.exec(text);
  const asNpm = npm?.[1] === undefined ? null : ({ kind: "npm", name: npm[1], version: npm[2] ?? "latest" } as const);
  if (text.startsWith("npm:")) {
    if (asNpm) return asNpm;
    throw invalid(
      `${text} is not a name of an npm package.`,
      "Write npm:NAME, or npm:NAME@VERSION with an exact version.",
    );
  }
  const path = resolve(text);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return { kind: "directory", path };
  if (found?.isFile()) {
    const format = archiveKindOf(path);
    if (format) return { kind: "archive", path, format };
    throw invalid(
      `${text} is not an archive.`,
      "Give a directory, a .tgz, .tar.gz, .tar or .zip file, or an npm name.",
    );
  }
  const isPath = /^[./~]|\/$/.test(text) || archiveKindOf(text) !== null;
  if (!isPath && asNpm) return asNpm;
  throw invalid(`There is no ${text}.`, "Give a directory, a .tgz, .tar.gz, .tar or .zip file, or an npm name.");
}

/** How it is remembered, so that an update finds it from anywhere. */
export function formatSource(source: ExtensionSource): string {
  if (source.kind !== "npm") return source.path;
  return `npm:${source.name}${source.version === "latest" ? "" : `@${source.version}`}`;
}

/** By the end of its name. Null for a file that is no archive. */
export function archiveKindOf(path: string): ArchiveKind | null {
  if (/\.(tgz|tar\.gz)$/i.test(path)) return "tar.gz";
  if (/\.tar$/i.test(path)) return "tar";
  return /\.zip$/i.test(path) ? "zip" : null;
}

function invalid(message: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", message, hint);
}
