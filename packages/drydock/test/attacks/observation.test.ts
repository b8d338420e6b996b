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
