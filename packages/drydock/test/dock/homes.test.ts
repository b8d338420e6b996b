import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";
import { afterAll, describe, expect, it } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-test-"));
const isRoot = process.getuid?.() === 0;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What another process does with a dock of its own; what it prints last is JSON. */
function program(home: string, body: string): string[] {
  const source = `import { createDock } from "drydock";\nconst home = ${JSON.stringify(home)};\n${body}`;
  return [...CHILD_FLAGS, "--input-type=module", "-e", source];
}

it("a home inside of the workspace is not somebody else who changes it", async () => {
  const workspace = mkdtempSync(join(directory, "around-"));
  const dock = await createDock({ home: join(workspace, "home"), warm: 0 });
  const [first, second] = [await run(), await run()];
  expect([...first.notes, ...second.notes]).toEqual([]);
  expect(first.stdout + second.stdout).not.toContain("home");
  await dock.close();

  function run() {
    return dock.exec({ language: "bash", code: "ls; sleep 0.2", workspace });
  }
});

describe("two docks on one home", () => {
  it("in one process do not disturb each other", async () => {
    const home = join(directory, "shared");
    const docks = await Promise.all([createDock({ home, warm: 0 }), createDock({ home, warm: 0 })]);
    const runs = await Promise.all(docks.flatMap((dock) => [1, 2, 3].map((n) => dock.exec({ code: `${n}` }))));
    expect(runs.every((run) => run.ok)).toBe(true);
    await docks[0]?.close();
    expect((await docks[1]?.exec({ code: "1" }))?.ok).toBe(true);
    expect(await docks[1]?.audit.verify()).toMatchObject({ ok: true, runs: 7 });
    await docks[1]?.close();
  });

  it("in two processes share the ledger, and neither calls the other's runs lost", async () => {
    const home = join(directory, "two-processes");
    const body =
      "const dock = await createDock({ home, warm: 0 });\nlet ok = 0;\nfor (let n = 0; n < 8; n++) if ((await dock.exec({ code: 'import time; time.sleep(0.05)' })).ok) ok++;\nawait dock.close();\nconsole.log(ok);";
    const children = [1, 2].map(
      () =>
        new Promise<string>((resolve) => {
          const child = spawn(process.execPath, program(home, body), { cwd: import.meta.dirname });
          let reply = "";
          for (const stream of [child.stdout, child.stderr])
            stream.on("data", (data) => {
              reply += data;
            });
          child.once("close", () => resolve(reply));
        }),
    );
    expect(await Promise.all(children)).toEqual(["8\n", "8\n"]);
    const dock = await createDock({ home, warm: 0 });
    const { runs } = await dock.runs.list({ limit: 100 });
    expect(runs.map((run) => run.status)).toEqual(Array.from({ length: 16 }, () => "succeeded"));
    expect(await dock.audit.verify()).toMatchObject({ ok: true });
    await dock.close();
  });
});

describe("a home that can't be used", () => {
  it("because it can't be made is ledger.unavailable", async () => {
    const file = join(directory, "file");
    writeFileSync(file, "x");
    await expect(createDock({ home: join(file, "home") })).rejects.toMatchObject({
      code: "ledger.unavailable",
      hint: expect.stringMatching(/./),
    });
    await expect(createDock({ home: file })).rejects.toMatchObject({ code: "ledger.unavailable" });
  });

  it("because its parent can hold no directory is ledger.unavailable, at once", async () => {
    await expect(createDock({ home: "/proc/nowhere/home", warm: 0 })).rejects.toMatchObject({
      code: "ledger.unavailable",
      hint: expect.stringContaining("DRYDOCK_HOME"),
    });
  });

  it("because the temporary directory can't be made is sandbox.unavailable, at once", () => {
    const body =
      "try { const dock = await createDock({ home, warm: 0 }); const run = await dock.exec({ code: '1' }); console.log(run.error?.code); await dock.close(); } catch (error) { console.log(error.code); }";
    const env = { ...process.env, TMPDIR: "/proc/nowhere" };
    const options = { cwd: import.meta.dirname, env, encoding: "utf8", timeout: 50_000 } as const;
    const child = spawnSync(process.execPath, program(join(directory, "no-temporary"), body), options);
    expect([child.signal, child.stdout.trim()]).toEqual([null, "sandbox.unavailable"]);
  });

  it("because its ledger is no ledger is ledger.unavailable, and the file stays as it is", async () => {
    const home = join(directory, "garbage");
    mkdirSync(home);
    writeFileSync(join(home, "ledger.db"), "this is no database, but somebody's text".repeat(100));
    await expect(createDock({ home })).rejects.toMatchObject({ code: "ledger.unavailable" });
  });

  it.runIf(isRoot)("because it is mounted read-only is ledger.unavailable", () => {
    const home = join(directory, "read-only");
    mkdirSync(home);
    const body =
      "try { const dock = await createDock({ home, warm: 0 }); const run = await dock.exec({ code: '1' }); console.log('ran', run.ok, run.error?.code); await dock.close(); } catch (error) { console.log(error.code, error.hint.length > 0); }";
    const child = inOwnMounts(`mount -t tmpfs -o ro none ${home}`, program(home, body));
    expect(child).toBe("ledger.unavailable true\n");
  });

  it.runIf(isRoot)(
    "because the disk is full ends runs with ledger.unavailable, and goes on when there is room again",
    () => {
      const home = join(directory, "full");
      mkdirSync(home);
      const body = [
        'import { writeFileSync, rmSync, statfsSync } from "node:fs";',
        "const dock = await createDock({ home, warm: 0 });",
        "const first = await dock.exec({ code: '1' });",
        "const room = statfsSync(home); try { writeFileSync(home + '/ballast', Buffer.alloc(room.bavail * room.bsize)); } catch {}",
        "const codes = new Set();",
        "for (let n = 0; n < 3; n++) await dock.exec({ code: 'print(\"x\" * 300000)' }).then((run) => codes.add(run.ok || run.error.code), (error) => codes.add(error.code));",
        "rmSync(home + '/ballast');",
        "const last = await dock.exec({ code: '2' });",
        "const report = await dock.audit.verify();",
        "console.log(JSON.stringify([first.ok, [...codes], last.ok, report.ok]));",
        "await dock.close();",
      ].join("\n");
      const child = inOwnMounts(`mount -t tmpfs -o size=3m none ${home}`, program(home, body));
      expect(child).toBe('[true,["ledger.unavailable"],true,true]\n');
    },
  );

  it("because its policy is broken says file, line and key, and runs nothing", async () => {
    const home = join(directory, "policy");
    mkdirSync(home);
    writeFileSync(join(home, "policy.yaml"), "version: 1\nlimits:\n  memoryMb: 64\n  wallSecond: 3\n");
    const dock = await createDock({ home, warm: 0 });
    const run = await dock.exec({ code: "print('ran')" });
    expect(run).toMatchObject({ ok: false, stdout: "", error: { code: "policy.invalid", line: 4 } });
    expect(run.error?.message).toContain(join(home, "policy.yaml"));
    expect(run.error?.message).toContain("wallSecond");
    await expect(dock.sessions.open()).rejects.toMatchObject({ code: "policy.invalid" });
    writeFileSync(join(home, "policy.yaml"), "version: 1\n");
    expect((await dock.exec({ code: "1" })).ok).toBe(true);
    await dock.close();
  });
});

describe("a Python", () => {
  it("that is not there is sandbox.unavailable with what to do, as a result", async () => {
    const dock = await createDock({ home: join(directory, "no-python"), python: "/no/such/python3", warm: 0 });
    for (const language of ["python", "node", "bash"] as const) {
      const run = await dock.exec({ language, code: "1" });
      expect(run).toMatchObject({ ok: false, error: { code: "sandbox.unavailable" } });
      expect(run.error?.hint).toContain("install");
    }
    await expect(dock.sessions.open()).rejects.toMatchObject({ code: "sandbox.unavailable" });
    await dock.close();
  });

  it("without pandas runs everything else, and says what is missing", async () => {
    // The interpreter alone, copied: it finds its standard library, and none of the packages that Debian installs.
    const bin = mkdtempSync("/var/tmp/drydock-python-");
    try {
      spawnSync("chmod", ["755", bin]);
      mkdirSync(join(bin, "bin"));
      copyFileSync("/usr/bin/python3", join(bin, "bin", "python3"));
      spawnSync("chmod", ["755", join(bin, "bin"), join(bin, "bin", "python3")]);
      writeFileSync(join(bin, "pyvenv.cfg"), "home = /usr/bin\ninclude-system-site-packages = false\n");
      const dock = await createDock({ home: join(directory, "bare"), python: join(bin, "bin", "python3"), warm: 1 });
      expect(await dock.exec({ code: "import json, sqlite3\njson.dumps([1])" })).toMatchObject({
        ok: true,
        result: "[1]",
      });
      for (let n = 0; n < 2; n++) {
        const run = await dock.exec({ code: "import pandas" });
        expect(run.error).toMatchObject({ code: "code.import_missing" });
        expect(run.error?.message).toContain("pandas");
      }
      const session = await dock.sessions.open();
      expect((await session.exec("1 + 1")).result).toBe(2);
      await dock.close();
    } finally {
      rmSync(bin, { recursive: true, force: true });
    }
  });
});

/** Runs Node in a mount namespace of its own, after `setup` there: nothing of it is seen outside. */
function inOwnMounts(setup: string, args: string[]): string {
  const script = `${setup} && exec "$@"`;
  const child = spawnSync(
    "/usr/bin/unshare",
    ["--mount", "--propagation", "private", "sh", "-c", script, "sh", process.execPath, ...args],
    {
      cwd: import.meta.dirname,
      timeout: 50_000,
    },
  );
  return child.stdout.toString() + child.stderr.toString();
}
