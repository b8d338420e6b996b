import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DrydockError, type SkillInfo } from "@drydock/protocol";
import type { Extensions } from "../extensions/api.ts";
import { readHomeConfig } from "../models/index.ts";
import type { Skill, Skills } from "./api.ts";
import { badSkill, type ReadSkill, readSkill, type SkillFile } from "./read-skill.ts";

export interface SkillPorts {
  home: string;
  extensions: Pick<Extensions, "list" | "get">;
}

const RECORD = ".skill.json";
const OF_WORKSPACE = ".drydock/skills";
const MAX_SKILLS = 500;

interface Candidate extends Pick<SkillInfo, "origin"> {
  directory: string;
  /** What it was when it was added; null where nothing was. */
  added: { sha256: string } | null;
}

/**
 * Skills of the home, of a workspace, of extensions, and those that agents wrote, in this order: the first of a name is the one that is
 * meant. What an agent wrote takes the place of no other.
 */
export function createSkillStore({ home, extensions }: SkillPorts): Skills {
  const place = join(home, "skills");

  async function findAll(workspace: string | undefined): Promise<Candidate[]> {
    const own = await foldersOf(place);
    const installed = await Promise.all(
      own.map(async (directory) => {
        const { sha256, origin } = await readRecord(`${directory}${RECORD}`);
        return { directory, origin, added: { sha256 } };
      }),
    );
    const isAllowed = workspace !== undefined && (await readHomeConfig(home)).boxes?.workspaceSkills === true;
    const local = isAllowed ? await foldersOf(join(workspace, OF_WORKSPACE)) : [];
    const shipped = (await extensions.list()).filter(({ state, builtIn }) => state === "enabled" && !builtIn);
    const roots = await Promise.all(shipped.map(async ({ manifest }) => (await extensions.get(manifest.id)).directory));
    const ofExtensions = (await Promise.all(roots.map((root) => foldersOf(join(root, "skills"))))).flat();
    const isOwners = ({ origin }: Candidate) => origin === "installed";
    return [
      ...installed.filter(isOwners),
      ...local.map((directory) => ({ directory, origin: "workspace" as const, added: null })),
      ...ofExtensions.map((directory) => ({ directory, origin: "extension" as const, added: null })),
      ...installed.filter((each) => !isOwners(each)),
    ];
  }

  /** Puts files into the home under a name that is free. The record is written first: a skill without one is not used. */
  async function install({ facts, files }: ReadSkill, origin: "installed" | "registered"): Promise<SkillInfo> {
    await mkdir(place, { recursive: true, mode: 0o700 });
    const directory = join(place, facts.name);
    if (await stat(directory).catch(() => null)) throw nameTaken(facts.name);
    if ((await foldersOf(place)).length >= MAX_SKILLS) {
      const hint = "Remove one: `drydock skill remove NAME`.";
      throw new DrydockError("input.invalid", `There are ${MAX_SKILLS} skills already.`, hint);
    }
    await writeFile(`${directory}${RECORD}`, JSON.stringify({ sha256: facts.sha256, origin }), { mode: 0o600 });
    await placeFiles(files, directory);
    return { ...facts, origin, problem: null };
  }

  const store: Skills = {
    async list({ workspace } = {}) {
      const seen = new Map<string, SkillInfo>();
      for (const candidate of await findAll(workspace)) {
        const { info } = await inspect(candidate);
        if (!seen.has(info.name)) seen.set(info.name, info);
      }
      return [...seen.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async find(name, { workspace } = {}) {
      const found = (await findAll(workspace)).find(({ directory }) => basename(directory) === name);
      if (!found) throw noSkill(name);
      const { info, read } = await inspect(found);
      return { ...info, instructions: read?.instructions ?? "", directory: found.directory };
    },
    add: async (directory) => install(await readSkill(directory.replace(/\/+$/, "")), "installed"),
    register: async (read) => install(read, "registered"),
    async remove(name) {
      const named = (await findAll(undefined)).filter(({ directory }) => basename(directory) === name);
      // One of the home may stand behind one of an extension.
      const found = named.find(({ added }) => added !== null) ?? named[0];
      if (!found) throw noSkill(name);
      if (found.added === null) throw notOurs(name, found.origin);
      const { info } = await inspect(found);
      await rm(join(place, name), { recursive: true, force: true });
      await rm(join(place, `${name}${RECORD}`), { force: true });
      return info;
    },
    /** A copy of its own by hash, so that nobody changes what a box has mounted. */
    async stage(name, { workspace } = {}): Promise<Skill & { mount: string }> {
      const found = (await findAll(workspace)).find(({ directory }) => basename(directory) === name);
      if (!found) throw noSkill(name);
      const { info, read } = await inspect(found);
      if (!read || info.problem !== null) throw badSkill(found.directory, info.problem ?? "it can't be read");
      const mount = join(home, "skills", ".staged", info.sha256, name);
      // What lies there under its hash may be older than a crash: it is used only as far as it is the same.
      const isThere = await readSkill(mount).then(
        (staged) => staged.facts.sha256 === info.sha256,
        () => false,
      );
      if (!isThere) {
        await rm(mount, { recursive: true, force: true });
        await placeFiles(read.files, mount);
      }
      return { ...info, instructions: read.instructions, directory: found.directory, mount };
    },
  };
  return store;
}

async function inspect({ directory, origin, added }: Candidate): Promise<{ info: SkillInfo; read: ReadSkill | null }> {
  try {
    const read = await readSkill(directory);
    const isChanged = added !== null && added.sha256 !== read.facts.sha256;
    const problem = isChanged ? "its files were changed after it was added; remove it, and add it again" : null;
    return { info: { ...read.facts, origin, problem }, read: isChanged ? null : read };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const facts = { name: basename(directory), description: "", version: null, sha256: "", files: 0, bytes: 0 };
    return { info: { ...facts, origin, problem }, read: null };
  }
}

/** Whole, or not at all. */
async function placeFiles(files: readonly SkillFile[], directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  const tree = await mkdtemp(join(dirname(directory), ".new-"));
  try {
    await chmod(tree, 0o755);
    for (const { path, content, executable } of files) {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), content, { flag: "wx", mode: executable ? 0o755 : 0o644 });
    }
    await rename(tree, directory).catch(async (error: NodeJS.ErrnoException) => {
      // Another process has placed the same files meanwhile.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function foldersOf(directory: string): Promise<string[]> {
  const found = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => join(directory, name))
    .sort();
}

/** Without a record that can be read, no hash is the right one. */
async function readRecord(file: string): Promise<{ sha256: string; origin: "installed" | "registered" }> {
  try {
    const { sha256, origin } = Object(JSON.parse(await readFile(file, "utf8")));
    return { sha256: String(sha256), origin: origin === "registered" ? "registered" : "installed" };
  } catch {
    return { sha256: "", origin: "installed" };
  }
}

function noSkill(name: string): DrydockError {
  const hint = "`drydock skill list` shows those that there are.";
  return new DrydockError("input.invalid", `There is no skill ${name}.`, hint, { skill: name });
}

function nameTaken(name: string): DrydockError {
  const hint = `Remove it first: \`drydock skill remove ${name}\`.`;
  return new DrydockError("input.invalid", `There is a skill ${name} already.`, hint, { skill: name });
}

function notOurs(name: string, origin: string): DrydockError {
  const hint = "Remove it where it comes from.";
  return new DrydockError("input.invalid", `The skill ${name} belongs to the ${origin}.`, hint, { skill: name });
}
