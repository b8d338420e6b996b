import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError, type RecordEntry, type RunRecord } from "@drydock/protocol";
import { encodePath, isOutsideTree } from "../../sandbox/index.ts";

export interface RestoredBase {
  workspace: string;
  remove(): Promise<void>;
}

/**
 * Writes the directory that a run began with into a new one of our own. The record is a stranger's: no path may lead out,
 * and links are made last, so that nothing is ever written through one.
 */
export async function restoreBase(
  { entries }: NonNullable<RunRecord["base"]>,
  contents: RunRecord["contents"],
  temporary: string,
): Promise<RestoredBase> {
  checkEntries(entries);
  const place = await mkdtemp(join(temporary, "drydock-replay-"));
  const workspace = join(place, "workspace");
  const pathOf = (path: string) => Buffer.concat([Buffer.from(`${workspace}/`), encodePath(path)]);
  const of = (type: RecordEntry["type"]) => entries.filter((entry) => entry.type === type);
  const remove = async () => {
    // As an ordinary user, a directory that its owner may not write can't be emptied.
    for (const { path } of of("directory")) await chmod(pathOf(path), 0o700).catch(() => {});
    await rm(place, { recursive: true, force: true });
  };
  try {
    await mkdir(workspace);
    for (const { path } of of("directory")) await mkdir(pathOf(path));
    for (const { path, sha256 = "", mode } of of("file")) {
      await writeFile(pathOf(path), Buffer.from(contents[sha256] ?? "", "base64"), { flag: "wx" });
      await chmod(pathOf(path), mode);
    }
    for (const { path, target = "" } of of("symlink")) await symlink(encodePath(target), pathOf(path));
    for (const { path, mode } of of("directory").reverse()) await chmod(pathOf(path), mode);
    return { workspace, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Every parent is a directory that stands before it; no path is there twice. */
function checkEntries(entries: readonly RecordEntry[]): void {
  const directories = new Set([""]);
  const known = new Set<string>();
  for (const { path, type } of entries) {
    const names = path.split("/");
    const isPlain = names.every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("\0"));
    const parent = names.slice(0, -1).join("/");
    if (!isPlain || isOutsideTree(path) || known.has(path) || !directories.has(parent)) {
      throw new DrydockError(
        "input.invalid",
        `The record names a path that is not valid in a workspace: ${JSON.stringify(path)}.`,
        "Do not use this record: Drydock never writes such a path.",
      );
    }
    known.add(path);
    if (type === "directory") directories.add(path);
  }
}
