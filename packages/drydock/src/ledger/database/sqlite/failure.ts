import { accessSync, constants, statfsSync } from "node:fs";
import { DrydockError } from "@drydock/protocol";
import { primaryCode, SQLITE_BUSY } from "../../../base/locks/index.ts";

const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const CONSTRAINT = 19;
const NOTADB = 26;

/** Reason and remedy for whatever the database or the file system refused. Drydock's own errors pass through. */
export function toLedgerError(error: unknown, home: string): unknown {
  if (error instanceof DrydockError) return error;
  const known = describe(primaryCode(error), fileSystemCode(error), home);
  if (!known) return error;
  return new DrydockError(
    "ledger.unavailable",
    `The ledger in ${home} ${known.reason}.`,
    known.remedy,
    { home, reason: known.kind },
    error,
  );
}

/**
 * Whether no process can write there now: the disk is full, or the file system is read-only. Where only this user has
 * no permission, another process may be writing.
 */
export function isUnwritable(error: unknown, home: string): boolean {
  if (!(error instanceof DrydockError)) return false;
  const { reason } = error.data;
  return reason === "full" || (reason === "readonly" && isFileSystemReadOnly(home));
}

function isFileSystemReadOnly(home: string): boolean {
  try {
    accessSync(home, constants.W_OK);
    return false;
  } catch (error) {
    return fileSystemCode(error) === "EROFS";
  }
}

/** The least that SQLite needs to open a log: its index takes 32 KB. */
const LEAST_BYTES = 64 * 1024;

function isDiskFull(home: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(home);
    return bavail * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

function isClosed(home: string): boolean {
  try {
    accessSync(home, constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return fileSystemCode(error) === "EACCES";
  }
}

function fileSystemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function describe(sqlite: number | undefined, fileSystem: string | undefined, home: string) {
  // Without room for its log SQLite calls it an input/output error, or a database that can't be opened.
  const mayBeFull = sqlite === IOERR || sqlite === READONLY || sqlite === CANTOPEN || fileSystem === "EIO";
  if (sqlite === FULL || fileSystem === "ENOSPC" || fileSystem === "EDQUOT" || (mayBeFull && isDiskFull(home)))
    return {
      kind: "full",
      reason: "can't be written: the disk is full",
      remedy: `Free some space on the disk that holds ${home}; then \`drydock prune\` removes old runs. Or set DRYDOCK_HOME to a directory on another disk.`,
    };
  if (fileSystem === "EACCES" && isClosed(home))
    return {
      kind: "forbidden",
      reason: "can't be read: this user has no permission",
      remedy: `Let this user read and write ${home}, or set DRYDOCK_HOME to a directory of this user's own.`,
    };
  if (sqlite === READONLY || fileSystem === "EROFS" || fileSystem === "EACCES" || fileSystem === "EPERM")
    return {
      kind: "readonly",
      reason: "can't be written: the directory is read-only for this user",
      remedy: `Make ${home} writable for this user, or set DRYDOCK_HOME to a directory that is.`,
    };
  if (sqlite === CORRUPT || sqlite === NOTADB)
    return {
      kind: "corrupt",
      reason: "is damaged: ledger.db is not an intact SQLite database",
      remedy: `Move ${home}/ledger.db, ledger.db-wal and ledger.db-shm aside (keep them as evidence) and start again, or restore a copy.`,
    };
  if (sqlite === CONSTRAINT)
    return {
      kind: "inconsistent",
      reason: "contradicts itself: a row that is about to be written is there already",
      remedy: "Run `drydock audit verify` to see what was tampered with, and move the ledger aside.",
    };
  if (sqlite === SQLITE_BUSY)
    return {
      kind: "busy",
      reason: "stayed locked by another process",
      remedy: "Look for a stopped or hanging drydock process on this home, end it, and try again.",
    };
  if (sqlite === CANTOPEN || fileSystem === "ENOTDIR" || fileSystem === "ENOENT" || fileSystem === "EEXIST")
    return {
      kind: "unopenable",
      reason: "can't be opened: its path is not a usable directory",
      remedy: `Check that ${home} is a directory that can be created and written, or set DRYDOCK_HOME to another.`,
    };
  if (sqlite === IOERR || fileSystem === "EIO" || fileSystem === "EFBIG" || fileSystem === "EMFILE")
    return {
      kind: "io",
      reason: "can't be read or written: the system reported an input/output error",
      remedy: `Check the disk of ${home} (space, quota, health) and the limit of open files.`,
    };
  return undefined;
}
