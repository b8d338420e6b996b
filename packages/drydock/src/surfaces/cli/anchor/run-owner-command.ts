import { spawn } from "node:child_process";
import { once } from "node:events";
import { readConfig } from "../../../app/index.ts";

/**
 * The owner's own command, typed by the owner on the owner's machine, to take an anchor somewhere: it is the person at work,
 * not the work, and so not in a sandbox. Only the command line has it; nothing of a run reaches it.
 */
export async function runOwnerCommand(command: string, input: string): Promise<number> {
  const child = spawn("/bin/sh", ["-c", command], {
    ...{ stdio: ["pipe", "inherit", "inherit"], env: readConfig().environment },
  });
  // One that does not read its input may end before all of it is written; its status says what came of it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [status] = (await once(child, "close")) as [number | null];
  return status ?? 1;
}
