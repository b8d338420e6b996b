import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const python = realpathSync("/usr/bin/python3");
const host = openTestDock({ python });
const { makeWorkspace } = host;

const OWN = "own = 'from the workspace'";
const importOf = (name: string) => `import ${name}; print(getattr(${name}, "own", "the system's"))`;

describe("A module beside the program is the one that it imports", () => {
  test.each([
    ["json.py", importOf("json")],
    ["random.py", importOf("random")],
    ["socket.py", importOf("socket")],
    ["signal/__init__.py", importOf("signal")],
    ["string/readme.txt", importOf("string")],
    ["os.py", importOf("os")],
    ["time.py", importOf("time")],
    ["numpy.py", importOf("numpy")],
    [
      "select.py",
      `${importOf("select")}\nimport threading; t = threading.Thread(target=print, args=(1,)); t.start(); t.join()`,
    ],
    ["traceback.py", `${importOf("traceback")}; 1 / 0`],
  ])("%s: %s", async (path, code) => {
    const workspace = makeWorkspace({ [path]: OWN, "main.py": code, "sub/main.py": code });
    for (const filename of ["main.py", "sub/main.py", undefined]) {
      const bare = spawnSync(python, filename ? [filename] : ["-c", code], { cwd: workspace, encoding: "utf8" });
      const docked = await host.dock.exec({ language: "python", code, filename, workspace, unsafe: true });
      expect({ filename, stdout: docked.stdout, ok: docked.ok }).toEqual({
        filename,
        stdout: bare.stdout,
        ok: bare.status === 0,
      });
    }
  });

  test("also for libraries that were imported before the program came", async () => {
    const code = "import calendar, pandas; print(pandas.DataFrame({'a': [1]}).to_dict())";
    await expect
      .poll(async () => (await host.dock.exec({ language: "python", code })).usage.cpuMs, { timeout: 20_000 })
      .toBeLessThan(100);
    const workspace = makeWorkspace({ "calendar.py": OWN });
    const bare = spawnSync(python, ["-c", code], { cwd: workspace, encoding: "utf8" });
    const docked = await host.dock.exec({ language: "python", code, workspace, unsafe: true });
    expect({ stdout: docked.stdout, ok: docked.ok }).toEqual({ stdout: bare.stdout, ok: bare.status === 0 });
    expect(bare.status).not.toBe(0);
  });

  test("in a session, for libraries that were imported before the session was opened", async () => {
    const code = "import pandas; print(pandas.DataFrame({'a': [1]}).to_dict())";
    const isPreloaded = "import sys # pandas\nresult = 'pandas' in sys.modules";
    await host.dock.exec({ language: "python", code });
    await expect
      .poll(async () => (await host.dock.exec({ language: "python", code: isPreloaded })).result, { timeout: 20_000 })
      .toBe(true);
    const workspace = makeWorkspace({ "json.py": OWN });
    const bare = spawnSync(python, ["-c", code], { cwd: workspace, encoding: "utf8" });
    const session = await host.dock.sessions.open({ workspace });
    try {
      expect(await session.exec(code)).toMatchObject({ ok: bare.status === 0, stdout: bare.stdout });
      expect(bare.status).not.toBe(0);
    } finally {
      await session.close();
    }
  });

  test("in a session as well", async () => {
    const session = await host.dock.sessions.open({ workspace: makeWorkspace({ "json.py": OWN }) });
    try {
      expect(await session.exec(importOf("json"))).toMatchObject({ ok: true, stdout: "from the workspace\n" });
    } finally {
      await session.close();
    }
  });
});
