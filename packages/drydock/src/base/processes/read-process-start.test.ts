import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readProcessStart } from "./read-process-start.ts";

describe("readProcessStart", () => {
  it("is the same for the whole life of a process", () => {
    expect(readProcessStart(process.pid)).toMatch(/^\d+$/);
    expect(readProcessStart(process.pid)).toBe(readProcessStart(process.pid));
  });

  it("reads past a name that holds parentheses and spaces", async () => {
    const script = "require('node:fs').writeFileSync('/proc/self/comm', 'a) S 1 (b'); console.log('ready')";
    const child = spawn(process.execPath, ["-e", `${script}; setInterval(() => {}, 1000)`]);
    try {
      await once(child.stdout, "data");
      const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
      expect(stat).toContain("(a) S 1 (b)");
      expect(readProcessStart(child.pid ?? 0)).toBe(
        stat
          .trim()
          .split(" ")
          .at(21 + 3),
      );
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("is undefined for a process that has died, reaped or not", async () => {
    const forks = "import os, time\npid = os.fork()\nif pid == 0: os._exit(0)\nprint(pid, flush=True)\ntime.sleep(60)";
    const parent = spawn("python3", ["-c", forks]);
    try {
      const [line] = await once(parent.stdout, "data");
      const pid = Number(String(line));
      // Nobody waits for the child: from its end on it is a zombie.
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
      expect(readProcessStart(pid)).toBeUndefined();
    } finally {
      parent.kill("SIGKILL");
    }
    await once(parent, "exit");
    expect(readProcessStart(parent.pid ?? 0)).toBeUndefined();
  });

  it("is undefined for what is no id", () => {
    expect(readProcessStart(Number.NaN)).toBeUndefined();
  });
});
