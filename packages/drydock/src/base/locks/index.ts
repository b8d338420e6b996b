export { tryFileLock, waitForFileLock } from "./file-lock.ts";
export { isBusy, primaryCode, SQLITE_BUSY } from "./sqlite-busy.ts";
