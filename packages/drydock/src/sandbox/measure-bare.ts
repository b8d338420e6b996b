import { spawn } from "node:child_process";
import { BASE_ENVIRONMENT } from "./base-environment.ts";

/** With the language that runs have: loading it is a part of many a start. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin", LANG: BASE_ENVIRONMENT.LANG };

/** Milliseconds to start a program of our own choosing, unprotected, and to read its output: what the dock is compared with. */
export function measureBare([command, ...args]: readonly [string, ...string[]]): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { env: ENVIRONMENT, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", () => resolve(performance.now() - start));
  });
}
