import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ExtensionCommand, ExtensionCommands, ExtensionManifest, type ExtensionProblem } from "@drydock/protocol";
import type * as z from "zod";
import { checkCommands } from "./check-commands.ts";
import { checkManifest } from "./check-manifest.ts";
import { COMMANDS_FILE, MANIFEST_FILE, USAGE_FILE } from "./file-names.ts";
import { type HashedFile, hashFiles, hashTree } from "./hash-files.ts";
import { listFiles } from "./list-files.ts";
import { MAX_YAML_BYTES, readYaml, type YamlFile } from "./read-yaml.ts";

/** An extension that was read and found valid. */
export interface ReadExtension {
  manifest: ExtensionManifest;
  commands: ExtensionCommand[];
  usage: string;
  /** Over every file. */
  hash: string;
  files: HashedFile[];
}

export type ExtensionReading =
  | { ok: true; extension: ReadExtension; problems: ExtensionProblem[] }
  | { ok: false; problems: ExtensionProblem[] };

const MAX_USAGE_BYTES = 256 * 1024;

/** Reads the directory of an extension. Everything that is wrong is found at once, with the place where it stands. */
export async function readExtension(directory: string): Promise<ExtensionReading> {
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) return { ok: false, problems: [problemOf(directory, "is not a directory")] };
  const { files, problems } = await listFiles(directory);
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, 50) };
  const hashed = await hashFiles(directory, files);
  const manifest = await readPart(directory, MANIFEST_FILE, ExtensionManifest);
  const commands = await readPart(directory, COMMANDS_FILE, ExtensionCommands);
  const usage = await readUsage(directory);
  const found = [...manifest.problems, ...commands.problems, ...usage.problems];
  if (manifest.value) found.push(...checkManifest(manifest, manifest.value, hashed));
  if (manifest.value && commands.value) {
    found.push(...checkCommands(commands, commands.value, manifest.value, hashed));
    found.push(...checkUsage(usage.text, commands.value.commands));
  }
  if (!manifest.value || !commands.value || found.some(({ severity }) => severity === "error"))
    return { ok: false, problems: found };
  const extension = {
    manifest: manifest.value,
    commands: commands.value.commands,
    usage: usage.text,
    hash: hashTree(hashed),
    files: hashed,
  };
  return { ok: true, extension, problems: found };
}

async function readPart<T extends z.ZodType>(
  directory: string,
  file: string,
  schema: T,
): Promise<YamlFile<z.output<T>>> {
  const text = await readText(directory, file, MAX_YAML_BYTES);
  if (typeof text === "string") return readYaml(file, text, schema);
  return { value: null, problems: [problemOf(file, text.problem)], complain: () => problemOf(file, text.problem) };
}

async function readUsage(directory: string): Promise<{ text: string; problems: ExtensionProblem[] }> {
  const text = await readText(directory, USAGE_FILE, MAX_USAGE_BYTES);
  if (typeof text !== "string") return { text: "", problems: [problemOf(USAGE_FILE, text.problem)] };
  if (text.trim() === "") return { text, problems: [problemOf(USAGE_FILE, "is empty; say how the commands are used")] };
  return { text, problems: [] };
}

/** People and models read the document to know what to call; a command that it is silent about is never found. */
function checkUsage(usage: string, commands: readonly ExtensionCommand[]): ExtensionProblem[] {
  const silent = commands.filter(({ name }) => !usage.includes(`/${name}`));
  return silent.map(({ name }) => ({ ...problemOf(USAGE_FILE, `does not mention /${name}`), severity: "warning" }));
}

async function readText(directory: string, file: string, maxBytes: number): Promise<string | { problem: string }> {
  try {
    await using handle = await open(join(directory, file), constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size } = await handle.stat();
    if (size > maxBytes) return { problem: `is larger than ${maxBytes / 1024} KB` };
    return new TextDecoder("utf-8", { fatal: true }).decode(await handle.readFile());
  } catch (error) {
    if (error instanceof TypeError) return { problem: "is not UTF-8 text" };
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { problem: "is missing" };
    return { problem: `can't be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function problemOf(file: string, message: string): ExtensionProblem {
  return { file, line: null, column: null, field: "", message, severity: "error" };
}
