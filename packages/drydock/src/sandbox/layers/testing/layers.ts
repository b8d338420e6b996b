import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryDirectory } from "../../../base/testing/temporary-directory.ts";

export function makeWorkspace(): string {
  const directory = join(makeTemporaryDirectory(), "workspace");
  mkdirSync(directory);
  return directory;
}

export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The tree hash once more, from the words of its definition and nothing else. */
export function hashNaively(directory: Buffer | string, top = true): string {
  const path = Buffer.from(directory);
  const digest = createHash("sha256").update("drydock-tree-1\n");
  for (const name of readdirSync(path, "buffer").sort(Buffer.compare)) {
    if (top && (name.equals(Buffer.from(".git")) || name.equals(Buffer.from(".drydock")))) continue;
    const full = Buffer.concat([path, Buffer.from("/"), name]);
    const stat = lstatSync(full);
    const mode = (stat.mode & 0o7777).toString(8).padStart(4, "0");
    if (stat.isFile()) digest.update(`f${mode} ${sha256(readFileSync(full))} `);
    else if (stat.isSymbolicLink()) digest.update(`l0777 ${sha256(readlinkSync(full, "buffer"))} `);
    else if (stat.isDirectory()) digest.update(`d${mode} ${hashNaively(full, false)} `);
    else continue;
    digest.update(name).update("\0");
  }
  return digest.digest("hex");
}

/** Independent of the umask. */
export function makeDirectory(path: string, mode = 0o755): void {
  mkdirSync(path);
  chmodSync(path, mode);
}
