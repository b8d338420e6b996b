import { spawn } from "node:child_process";

/** Nothing of the caller's environment: extra certificates alone cost Node 40 ms a start. */
export const CLEAN_ENVIRONMENT = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };

/** Starts a command, reads its output to the end, and compares it with what it must be. */
export function spawnCommand(
  [command = "", ...args]: readonly string[],
  expected: string,
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: CLEAN_ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    let complaint = "";
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString();
    });
    child.stderr.on("data", (data: Buffer) => {
      complaint += data.toString();
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0 && output === expected) return resolve();
      const why = complaint.trim().split("\n").at(-1) || JSON.stringify(output.slice(0, 80));
      reject(new Error(`${command} ended with ${signal ?? code}: ${why}`));
    });
  });
}
