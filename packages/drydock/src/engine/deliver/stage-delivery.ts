import { constants } from "node:fs";
import { copyFile, type FileHandle, lstat, open, rename, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { encodePath } from "../../sandbox/index.ts";
import { type DeliveryTarget, errnoOf, type FileOwner, hashHandle } from "./delivery-target.ts";
import { type JournalItem, keptPath, makePrivateDirectory, syncPath } from "./journal.ts";
import type { PathState } from "./path-state.ts";
import { type PlannedChange, parentOf } from "./plan-delivery.ts";

/** Where content comes from that is to be put into the workspace. */
export type ContentSource = { path: string } | { bytes: Buffer } | { workspacePath: string };

/** Gives each change its owner and the place where it waits. Nothing is written. */
export async function allotPlaces(
  target: DeliveryTarget,
  changes: readonly PlannedChange[],
  id: string,
): Promise<JournalItem[]> {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const items: JournalItem[] = [];
  for (const { path, before, after, owner } of changes) {
    const directory = await findStableParent(target, path, byPath);
    const isModeOnly = before.state.type === "directory" && after.type === "directory";
    if (!isModeOnly) await refuseClosed(target, [parentOf(path), directory], byPath);
    // What is replaced waits in the same place, should it have to be put back.
    const waits = [before.state.type, after.type].some((type) => type === "file" || type === "symlink");
    items.push({
      path,
      before: before.state,
      after,
      beforeOwner: before.owner,
      afterOwner: owner ?? before.owner ?? (await ownerOf(target, directory)),
      temporary: waits ? joinPath(directory, `.drydock-${id}-${items.length}.tmp`) : null,
    });
  }
  return items;
}

/** Puts what is new beside its place: from there on it takes only a rename, which needs no room on the disk. */
export async function stageItem(target: DeliveryTarget, item: JournalItem, source: ContentSource): Promise<void> {
  const { temporary, after } = item;
  if (temporary === null) return;
  if (after.type === "symlink") {
    await target.at(temporary, (address) => symlink(encodePath(after.target), address));
    return target.setOwner(temporary, item.afterOwner);
  }
  if (after.type !== "file") return;
  await copyInto(target, temporary, source);
  await target.setOwner(temporary, item.afterOwner);
  const handle = await target.openFile(temporary);
  try {
    const found = await hashHandle(handle);
    if (found !== after.sha256) throw brokenContent(item.path);
    // A change of owner takes bits away, so the mode comes last.
    await handle.chmod(after.mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies what is going to be replaced, exactly as it was looked at. False: it has changed since. */
export async function keepReplaced(
  target: DeliveryTarget,
  directory: string,
  path: string,
  was: PathState,
): Promise<boolean> {
  if (was.type !== "file" || was.sha256 === null) return true;
  await makePrivateDirectory(join(directory, "kept"));
  const kept = keptPath(directory, was.sha256);
  if (await lstat(kept).catch(() => null)) return true;
  const source = await target.openFile(path);
  let copy: FileHandle | undefined;
  try {
    copy = await open(`${kept}.new`, "w", 0o600);
    const writing = copy;
    const found = await hashHandle(source, async (bytes) => {
      await writing.writeFile(bytes);
    });
    if (found !== was.sha256) return false;
    await copy.sync();
  } finally {
    await source.close();
    await copy?.close();
  }
  await rename(`${kept}.new`, kept);
  await syncPath(join(directory, "kept"));
  return true;
}

/**
 * Merged text is in no store. It is kept so that later changes of the user can be distinguished from the delivered
 * ones.
 */
export async function keepMerged(directory: string, sha256: string, content: Buffer): Promise<void> {
  await makePrivateDirectory(join(directory, "kept"));
  const handle = await open(keptPath(directory, sha256), "w", 0o600);
  await handle
    .writeFile(content)
    .then(() => handle.sync())
    .finally(() => handle.close());
}

export async function removeTemporaries(target: DeliveryTarget, items: readonly JournalItem[]): Promise<void> {
  for (const { temporary } of items) {
    if (temporary === null) continue;
    try {
      await target.at(temporary, unlink);
    } catch (error) {
      if (!["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error))) throw error;
    }
  }
}

async function copyInto(target: DeliveryTarget, temporary: string, source: ContentSource): Promise<void> {
  if ("path" in source) {
    // Where the file system can, the copy shares its blocks with the store.
    const how = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
    return target.at(temporary, (address) => copyFile(source.path, address, how));
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const copy = await target.at(temporary, (address) => open(address, flags, 0o600));
  try {
    if ("bytes" in source) return await copy.writeFile(source.bytes);
    const from = await target.openFile(source.workspacePath);
    await hashHandle(from, async (bytes) => {
      await copy.writeFile(bytes);
    }).finally(() => from.close());
  } finally {
    await copy.close();
  }
}

/** The nearest directory above that is one before and after, and in which something can be put. */
async function findStableParent(
  target: DeliveryTarget,
  path: string,
  changes: ReadonlyMap<string, PlannedChange>,
): Promise<string> {
  for (let parent = parentOf(path); parent !== ""; parent = parentOf(parent)) {
    const change = changes.get(parent);
    if (!change) return parent;
    const stays = change.before.state.type === "directory" && change.after.type === "directory";
    if (stays && (await target.mayChange(parent))) return parent;
  }
  return "";
}

/** Better said before anything is written. A directory that changes with the same delivery is opened up by it. */
async function refuseClosed(
  target: DeliveryTarget,
  directories: readonly string[],
  changes: ReadonlyMap<string, PlannedChange>,
): Promise<void> {
  for (const directory of new Set(directories)) {
    if (changes.has(directory) || (await target.mayChange(directory))) continue;
    throw new DrydockError(
      "delivery.conflict",
      `Nothing can be changed in ${directory === "" ? target.workspace : directory}: it is read-only, or belongs to somebody else.`,
      "Make it writable (`chmod u+w`), and try again. Nothing was changed; the changes are kept.",
      { files: [{ path: directory === "" ? "." : directory, reason: "can't be written" }] },
    );
  }
}

async function ownerOf(target: DeliveryTarget, directory: string): Promise<FileOwner> {
  const { owner } = await target.look(directory === "" ? "." : directory);
  return owner ?? { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
}

function joinPath(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

function brokenContent(path: string): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    `The stored content of ${path} is damaged: it does not match the record.`,
    "Run it again: its changes can't be delivered any more. `drydock audit verify` says whether more is wrong.",
    { path },
  );
}
