import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DrydockError, explainFullDisk } from "@drydock/protocol";
import { listDirectory } from "../../base/paths/index.ts";
import { describePublicKey } from "./signing-key.ts";

const MAX_KEY_BYTES = 16 * 1024;

export interface StoredPublicKey {
  id: string;
  key: KeyObject;
  createdAt: string;
}

export function keysDirectory(home: string): string {
  return join(home, "keys");
}

export function privateKeyPath(home: string): string {
  return join(keysDirectory(home), "signing.key");
}

/** Null where there is none. Refuses one that others could have read or changed. */
export function readPrivateKey(home: string): KeyObject | null {
  const path = privateKeyPath(home);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return null;
    throw refused(path, code === "ELOOP" ? "it is a symbolic link" : `it can't be opened (${code})`, REPLACE);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAX_KEY_BYTES) throw refused(path, "it is not a key file", REPLACE);
    const uid = process.getuid?.();
    if (uid !== undefined && stat.uid !== uid) {
      throw refused(path, "it belongs to another user", `Make it yours: \`chown ${uid} ${path}\`.`);
    }
    if ((stat.mode & 0o077) !== 0) {
      const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
      const hint = `Run \`chmod 600 ${path}\`; if somebody may have read it, then also \`drydock keys rotate\`.`;
      throw refused(path, `others can read or change it (mode ${mode})`, hint);
    }
    return parsePrivateKey(path, readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function parsePrivateKey(path: string, bytes: Buffer): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(bytes);
  } catch {
    // The error's own words could quote the file.
  }
  if (key?.asymmetricKeyType !== "ed25519") throw refused(path, "it holds no Ed25519 private key", REPLACE);
  return key;
}

/** Takes the place of the one that is there. The file is whole or not there, whatever happens meanwhile. */
export function writePrivateKey(home: string, key: KeyObject): void {
  writeWhole(privateKeyPath(home), String(key.export({ type: "pkcs8", format: "pem" })), 0o600);
}

/** Writes the public key beside the private one, unless it is there. */
export function keepPublicKey(home: string, key: KeyObject): void {
  const path = join(keysDirectory(home), `${describePublicKey(key).id}.pub`);
  if (statSync(path, { throwIfNoEntry: false })) return;
  writeWhole(path, String(key.export({ type: "spki", format: "pem" })), 0o644);
}

/** The oldest first. A file whose name is not the id of its key is not one that Drydock wrote, and counts for nothing. */
export function readPublicKeys(home: string): StoredPublicKey[] {
  const directory = keysDirectory(home);
  return listDirectory(directory)
    .filter((name) => /^[0-9a-f]{64}\.pub$/.test(name))
    .flatMap((name) => {
      const path = join(directory, name);
      try {
        const key = createPublicKey(readFileSync(path));
        const { id } = describePublicKey(key);
        const isOwn = key.asymmetricKeyType === "ed25519" && `${id}.pub` === name;
        return isOwn ? [{ id, key, createdAt: statSync(path).mtime.toISOString() }] : [];
      } catch {
        return [];
      }
    })
    .sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
}

function writeWhole(path: string, text: string, mode: number): void {
  const temporary = `${path}.${randomUUID()}.new`;
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const descriptor = openSync(temporary, "wx", mode);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw explainFullDisk(error, path) ?? error;
  } finally {
    closeSync(descriptor);
  }
}

const REPLACE = "Restore it from a backup of the home directory, or remove it: the next signature makes a new key.";

function refused(path: string, reason: string, hint: string): DrydockError {
  return new DrydockError("policy.path_denied", `The signing key ${path} is not used: ${reason}.`, hint, {
    paths: [path],
  });
}
