import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const KERNEL = fileURLToPath(new URL("../kernel", import.meta.url));

/** Runs one of this folder's drivers on the system's Python, JSON in and out, with the kernel's directory as its argument. */
export function runPython<T>(driver: string, input: unknown): Promise<T> {
  const script = fileURLToPath(new URL(driver, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = execFile("/usr/bin/python3", ["-I", script, KERNEL], { maxBuffer: 64e6 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(JSON.parse(stdout));
    });
    child.stdin?.end(JSON.stringify(input));
  });
}
