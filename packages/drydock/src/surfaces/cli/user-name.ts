import { userInfo } from "node:os";

/** The default name of the person who decides. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // a user whom this machine has no name for
  }
}
