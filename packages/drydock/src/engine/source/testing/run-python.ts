import { execFile } from "node:child_process";
import type { RunPython } from "../run-python.ts";

/** The system's Python, outside of the sandbox: what it runs here is ours. */
export const runPython: RunPython = (program, input) =>
  new Promise((resolve, reject) => {
    const child = execFile("python3", ["-I", "-S", "-c", program], { maxBuffer: 64e6 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin?.end(input);
  });
