import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { basename, join } from "node:path";
import { DrydockError, SkillFrontMatter, type SkillInfo } from "@drydock/protocol";
import { parseYaml } from "../../base/yaml-files/index.ts";

export interface SkillFile {
  /** Relative, with `/`. */
  path: string;
  content: Buffer;
  executable: boolean;
}

/** The files of a skill as they were read, once: what is hashed is what is used. */
export interface ReadSkill {
  facts: Omit<SkillInfo, "origin" | "problem">;
  files: SkillFile[];
  /** SKILL.md without what stands at its beginning. */
  instructions: string;
}

const SKILL_FILE = "SKILL.md";
const MAX_FILES = 500;
const MAX_DEPTH = 8;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TEXT_BYTES = 128 * 1024;
const LEFT_OUT = new Set([".git", ".DS_Store", "__pycache__"]);
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const EXAMPLES = { name: "name: pdf-forms", description: "description: Fills in PDF forms." };

/** Reads a skill's folder. Links, special files, huge trees and a SKILL.md that can't be understood are refused. */
export async function readSkill(directory: string): Promise<ReadSkill> {
  return describeSkill(await readFiles(directory), directory);
}

/** The same of files that came from elsewhere. */
export async function describeSkill(files: readonly SkillFile[], directory: string): Promise<ReadSkill> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const text = sorted.find(({ path }) => path === SKILL_FILE)?.content;
  if (!text) throw badSkill(directory, `it has no ${SKILL_FILE}`);
  if (text.length > MAX_TEXT_BYTES) throw badSkill(directory, `${SKILL_FILE} is larger than 128 KB`);
  const match = FRONT_MATTER.exec(text.toString());
  if (!match)
    throw badSkill(directory, `${SKILL_FILE} does not begin with --- and fields between that and another ---`);
  // The line of the dashes comes before the fields, so that positions in messages are those of the file.
  const fields = await parseYaml(join(directory, SKILL_FILE), `\n${match[1]}`, SkillFrontMatter, EXAMPLES);
  if (fields.name !== basename(directory)) {
    throw badSkill(directory, `its name is ${fields.name}, and its folder is called ${basename(directory)}`);
  }
  const hash = createHash("sha256");
  for (const { path, content, executable } of sorted) {
    hash.update(`${Buffer.byteLength(path)} ${path} ${executable ? "x" : "-"} ${content.length} `).update(content);
  }
  const bytes = sorted.reduce((sum, { content }) => sum + content.length, 0);
  const { name, description, version = null } = fields;
  return {
    facts: { name, description, version, sha256: hash.digest("hex"), files: sorted.length, bytes },
    files: sorted,
    instructions: text.toString().slice(match[0].length).trim(),
  };
}

async function readFiles(directory: string): Promise<SkillFile[]> {
  const top = await lstat(directory).catch(() => null);
  if (!top) throw badSkill(directory, "there is no such folder");
  if (!top.isDirectory()) throw badSkill(directory, "it is no folder of its own");
  const files: SkillFile[] = [];
  const folders = [""];
  let bytes = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (folder.split("/").length > MAX_DEPTH) throw badSkill(directory, `it is more than ${MAX_DEPTH} folders deep`);
    for await (const entry of await opendir(join(directory, folder))) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (/[\p{Cc}\p{Bidi_Control}\\]/u.test(path)) throw badSkill(directory, "a name in it can't be shown");
      if (entry.isSymbolicLink()) throw badSkill(directory, `${path} is a symbolic link`);
      if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile()) throw badSkill(directory, `${path} is no plain file`);
      else {
        const file = await readPlain(join(directory, path), MAX_BYTES - bytes);
        if (!file) throw badSkill(directory, `it is larger than ${MAX_BYTES / 1024 / 1024} MB`);
        bytes += file.content.length;
        files.push({ path, ...file });
      }
      if (files.length + folders.length > MAX_FILES) throw badSkill(directory, `it has more than ${MAX_FILES} files`);
    }
  }
  return files;
}

/** Null where it has more than `most` bytes. What became a link since it was listed is not followed. */
async function readPlain(path: string, most: number): Promise<Omit<SkillFile, "path"> | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { size, mode } = await file.stat();
  if (size > most) return null;
  const content = await file.readFile();
  return content.length > most ? null : { content, executable: (mode & 0o100) !== 0 };
}

export function badSkill(directory: string, reason: string): DrydockError {
  const hint = "A skill is a folder of plain files with a SKILL.md that begins with its name and description.";
  return new DrydockError("input.invalid", `${directory} is no skill: ${reason}.`, hint, { directory });
}
