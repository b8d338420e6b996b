import { spawn } from "node:child_process";

/** Milliseconds to start a program of our own choosing, unprotected, and to read its output: what the dock is compared with. */
export function measureBare([command, ...args]: readonly [string, ...string[]]): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", () => resolve(performance.now() - start));
  });
}
