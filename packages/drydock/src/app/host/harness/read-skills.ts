import { createHash } from "node:crypto";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { DrydockError, type HarnessPlan } from "@drydock/protocol";

type Skill = HarnessPlan["skills"][number];

const MAX_FILES = 1000;
const MAX_BYTES = 20 * 1024 * 1024;
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Folders with a SKILL.md, each with the hash of its files. A folder with a link is refused: what it shows could change. */
export async function readSkills(paths: readonly string[]): Promise<Skill[]> {
  const skills: Skill[] = [];
  for (const path of paths) {
    const skill = await readSkill(path);
    if (skills.some(({ name }) => name === skill.name)) throw refuse(path, `there are two of the name ${skill.name}`);
    skills.push(skill);
  }
  return skills;
}

async function readSkill(path: string): Promise<Skill> {
  if (!isAbsolute(path)) throw refuse(path, "the path is not absolute");
  const real = await realpath(path).catch(() => null);
  if (real === null || real !== path.replace(/(?<=.)\/+$/, ""))
    throw refuse(path, "it is not there, or is reached by a link");
  const name = basename(real);
  if (!NAME.test(name)) throw refuse(path, "its name has other characters than letters, digits, dots and dashes");
  const hash = createHash("sha256");
  let bytes = 0;
  const entries = await readdir(real, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  if (files.length > MAX_FILES) throw refuse(path, `it has more than ${MAX_FILES} files`);
  for (const file of files.sort()) {
    if (!(await lstat(file)).isFile()) throw refuse(path, `${file} is a link, or no file`);
    const content = await readFile(file);
    bytes += content.length;
    if (bytes > MAX_BYTES) throw refuse(path, "it has more than 20 MB");
    hash.update(`${file.slice(real.length)}\0${content.length}\0`).update(content);
  }
  const text = await readFile(join(real, "SKILL.md"), "utf8").catch(() => null);
  if (text === null) throw refuse(path, "it has no SKILL.md");
  const version = /^---\n[\s\S]*?^version:\s*["']?([\w.+-]{1,64})/m.exec(text)?.[1] ?? null;
  return { name, path: real, sha256: hash.digest("hex"), version };
}

function refuse(path: string, reason: string): DrydockError {
  const hint = "A skill is a folder with a SKILL.md, named by its absolute path.";
  return new DrydockError("input.invalid", `The skill ${path} can't be used: ${reason}.`, hint, { path });
}
