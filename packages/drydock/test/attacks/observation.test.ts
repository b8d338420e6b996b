import { availableParallelism } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTreeDock, type TreeDock } from "../testing/tree-dock.ts";

let dock: TreeDock;
beforeAll(async () => {
  dock = await openTreeDock();
});
afterAll(() => dock.close());

const HIDE = "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)";
const READ = "print(open('data.txt').read())";

async function observe(language: "python" | "bash", code: string) {
  const workspace = dock.makeWorkspace({ "data.txt": "1\n", "read.py": `${HIDE}\n${READ}\n` });
  const run = await dock.run(workspace, { layer: null, language, code, timeoutSeconds: 60, observe: true });
  return { ...run, read: run.observed?.paths.some(([, how, path]) => how === "read" && path === "data.txt") };
}

describe("a process that hides what it opens from who observes it", () => {
  test("is seen all the same, where it executes a program of its own", async () => {
    const { stdout, read, observed } = await observe("bash", "python3 read.py");
    expect(stdout).toBe("1\n\n");
    expect({ read, truncated: observed?.truncated }).toEqual({ read: true, truncated: false });
  });

  test("leaves a record that says what it lacks", async () => {
    const honest = await observe("python", READ);
    expect({ read: honest.read, truncated: honest.observed?.truncated }).toEqual({ read: true, truncated: false });
    const { stdout, read, observed } = await observe("python", `${HIDE}\n${READ}`);
    expect(stdout).toBe("1\n\n");
    expect(read || observed?.truncated).toBe(true);
  });
});

describe("what a run writes to", () => {
  const WRITE = `
import os
whole = open("data.txt").read()
open("data.txt", "w").write("2\\n")
open("data.txt", "w").write(whole)
os.rename("tests/first.txt", "tests/other.txt")
os.rename("tests/other.txt", "tests/first.txt")
open("tests/second.txt").read()
`;

  test("is told although all of it is as it was", async () => {
    const workspace = dock.makeWorkspace({ "data.txt": "1\n", "tests/first.txt": "1\n", "tests/second.txt": "1\n" });
    const request = { layer: null, language: "python", timeoutSeconds: 60, observe: true } as const;
    const { layer, touched, stderr } = await dock.run(workspace, { ...request, code: WRITE });
    expect({ stderr, entries: layer.entries }).toEqual({ stderr: "", entries: [] });
    expect(touched).toEqual(expect.arrayContaining(["data.txt", "tests/first.txt"]));
    expect(touched).not.toContain("tests/second.txt");
    expect(touched).not.toContain("tests");
  });

  test("is told of a directory that was removed and made again", async () => {
    const workspace = dock.makeWorkspace({ "tests/first.txt": "1\n" });
    const code = "mkdir kept && cp tests/first.txt kept && rm -r tests && mv kept tests";
    const request = { layer: null, language: "bash", timeoutSeconds: 60, observe: true, code } as const;
    const { touched = [] } = await dock.run(workspace, request);
    expect(touched.some((path) => path === "tests" || path === "tests/first.txt")).toBe(true);
  });
});

describe("a run that leaves processors to another one", () => {
  const COUNT = "import os; print(len(os.sched_getaffinity(0)))";
  const TRY = `
import os, subprocess, sys
for pid in (0, os.getpid(), os.getppid()):
    try:
        os.sched_setaffinity(pid, range(os.cpu_count()))
    except OSError:
        pass
os.setsid() if os.getpid() != os.getsid(0) else None
subprocess.run(["taskset", "-p", "-c", "0-" + str(os.cpu_count() - 1), str(os.getpid())], capture_output=True)
${COUNT}
subprocess.run([sys.executable, "-c", ${JSON.stringify(COUNT)}])
`;

  test.skipIf(availableParallelism() < 2)("can't take more of them than half", async () => {
    const workspace = dock.makeWorkspace({});
    const request = { layer: null, language: "python", timeoutSeconds: 60, observe: true } as const;
    const { stdout: all } = await dock.run(workspace, { ...request, code: COUNT });
    const { stdout, stderr } = await dock.run(workspace, { ...request, code: TRY, aside: true });
    expect({ stderr, half: stdout.split("\n") }).toEqual({
      stderr: "",
      half: [String(Math.floor(Number(all) / 2)), String(Math.floor(Number(all) / 2)), ""],
    });
  });
});
