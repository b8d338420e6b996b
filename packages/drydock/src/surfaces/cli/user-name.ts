import { userInfo } from "node:os";

/** Who decides, where nobody said. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // a user whom this machine has no name for
  }
}
