import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError, type InstallStep } from "@drydock/protocol";
import { listFiles, MAX_TOTAL_BYTES } from "../format/list-files.ts";
import { unpackArchive } from "./archive/unpack-archive.ts";
import { refuseProblems } from "./refuse-problems.ts";
import type { InstallOptions, RegistryOptions } from "./types.ts";
import { writeFileInto } from "./write-files.ts";

/** `linux-x64` */
export const PLATFORM = `${process.platform}-${process.arch}`;

export function fitsPlatform(platforms: readonly string[] | undefined): boolean {
  return platforms === undefined || platforms.includes(PLATFORM) || platforms.includes(process.platform);
}

/** Puts the tools that an extension declares into its own folder. What does not have the declared hash goes nowhere. */
export async function runInstallSteps(
  { download, onStep }: Pick<RegistryOptions, "download" | "onStep">,
  tree: string,
  steps: readonly InstallStep[],
  { signal, onProgress }: Pick<InstallOptions, "signal" | "onProgress">,
): Promise<void> {
  for (const step of steps.filter(({ platforms }) => fitsPlatform(platforms))) {
    const what = step.url ?? step.file ?? "";
    onStep?.(`install ${step.to}`);
    if (step.url !== undefined) onProgress?.(`fetching ${step.url}`);
    const bytes =
      step.url === undefined
        ? await readFile(join(tree, step.file ?? ""))
        : await download({ url: step.url, title: `fetch ${step.url}`, maxBytes: MAX_TOTAL_BYTES, signal });
    checkHash(bytes, step.sha256, what);
    const to = step.to.replace(/\/+$/, "");
    const files = step.unpack
      ? (await unpackArchive(bytes, step.unpack)).map((file) => ({ ...file, path: `${to}/${file.path}` }))
      : [{ path: to, executable: step.executable, content: bytes }];
    for (const { path, executable, content } of files) {
      try {
        await writeFileInto(tree, path, content, executable);
      } catch (error) {
        throw isTaken(error) ? alreadyThere(path, what) : error;
      }
    }
  }
  const { problems } = await listFiles(tree, { all: true });
  if (problems.length > 0) throw refuseProblems("What its install steps made", problems);
}

function checkHash(bytes: Uint8Array, sha256: string, what: string): void {
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual === sha256) return;
  throw new DrydockError(
    "extension.invalid",
    `${what} is not what the extension says it is: its SHA-256 is ${actual}, not ${sha256}.`,
    "Do not use it. Nothing was installed; tell the extension's author.",
    { what, expected: sha256, actual },
  );
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["EEXIST", "ENOTDIR", "EISDIR"].includes(String(error.code));
}

function alreadyThere(path: string, what: string): DrydockError {
  const hint = "Nothing was installed; the extension's author has to give its install steps places of their own.";
  return new DrydockError("extension.invalid", `${what} would overwrite ${path}.`, hint, { path });
}
