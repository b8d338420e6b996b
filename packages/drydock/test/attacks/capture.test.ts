import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();
const stillServes = async () => expect(await it.attack("print(1)")).toMatchObject({ ok: true, stdout: "1\n" });

describe("leaving files that are meant to break who collects them", () => {
  test("directories nested deeper than any path can name", async () => {
    for (const depth of [150, 2000]) {
      const result = await it.attack(`
import os
for _ in range(${depth}):
    os.mkdir("d" * 8); os.chdir("d" * 8)
open("bottom", "w").write("x")
`);
      if (depth === 150) expect(result.changes.some(({ path }) => path.endsWith("/bottom"))).toBe(true);
      else expect(result).toMatchObject({ ok: false, error: { code: "limit.disk" } });
      await stillServes();
    }
  });

  test("tens of thousands of symlinks and empty files", async () => {
    const result = await it.attack(
      `
import os
os.mkdir("many")
for number in range(20000): os.symlink("/etc/passwd", "many/%d" % number)
`,
      { limits: { wallSeconds: 20 } },
    );
    expect(result.error).toBe(null);
    expect(result.changes.length).toBeGreaterThanOrEqual(20_000);
    expect(result.artifacts).toEqual([]);
    await stillServes();
  });

  test("symlinks in circles, pipes, sockets and files without any permission", async () => {
    const result = await it.attack(`
import os, socket
os.symlink("b", "a"); os.symlink("a", "b"); os.symlink(".", "self"); os.symlink("/", "root"); os.symlink("/proc/self", "proc")
os.symlink("", "x") if False else None
os.mkfifo("pipe"); socket.socket(socket.AF_UNIX).bind("socket")
open("secret", "w").write("mine"); os.chmod("secret", 0)
os.mkdir("closed"); open("closed/inside", "w").write("mine"); os.chmod("closed", 0)
`);
    expect(result.error).toBe(null);
    expect(result.changes.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["a", "b", "self", "closed/inside", "secret"]),
    );
    await stillServes();
  });

  test("names of bytes, control characters, newlines, dots and the greatest length", async () => {
    const result = await it.attack(`
import os
names = [b"\\xff\\xfe", b"line\\nbreak", b"\\x1b[31mred", b"...", b".. ", b" ", b"-rf", b"a\\\\b", b"\\xc0\\xaf..\\xc0\\xaf", "é".encode(), b"x" * 255, b"%2e%2e%2f", b"C:\\\\x", b"con"]
for name in names: open(name, "w").write("x")
result = len(names)
`);
    expect(result.error).toBe(null);
    expect(result.changes.length).toBe(result.result);
    for (const { path } of result.changes) expect(path.split("/")).not.toContain("..");
    await stillServes();
  });

  test("a file with a thousand names, and one that is deleted while it is held open", async () => {
    const result = await it.attack(`
import os
open("one", "wb").write(b"x" * (1 << 20))
for number in range(1000): os.link("one", "name%d" % number)
held = open("held", "wb"); held.write(b"y" * (1 << 20)); os.remove("held")
`);
    expect(result.error).toBe(null);
    expect(result.changes.length).toBe(1001);
    expect(result.changes.map(({ path }) => path)).not.toContain("held");
  });

  test("files that are small each do not fill the host's memory together", async () => {
    const before = process.memoryUsage().rss;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const result = await it.attack(
      `
import os
for number in range(48): open(str(number), "wb").write(os.urandom(1 << 16) * 60)
`,
      { limits: { diskMb: 200 } },
    );
    clearInterval(watch);
    expect(result.error).toBe(null);
    expect(peak - before).toBeLessThan(180 << 20);
  });

  test("a process that goes on changing files after the end is gone before they are collected", async () => {
    const result = await it.attack(`
import os
if os.fork() == 0:
    os.setsid()
    number = 0
    while True:
        number += 1
        try:
            os.symlink("/etc/passwd", "new"); os.rename("new", "swapped")
            open("new", "w").write("x" * (number % 100)); os.rename("new", "swapped")
        except OSError: pass
import time; time.sleep(0.2)
`);
    expect(result.error).toBe(null);
    expect(await it.dock.runs.diff(result.runId)).not.toContain("root:");
  });
});
