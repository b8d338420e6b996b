import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/app/config.ts";
import { findPython } from "../../src/sandbox/index.ts";
import { openTestDock } from "../testing/test-dock.ts";

const python = findPython(undefined, readConfig().searchPath).path;
const version = /3\.\d+$/.exec(python)?.[0] ?? "";
const host = openTestDock();

/** Programs are the files below a `bin` or `.bin`. */
function makeWorkspace(files: Record<string, string>, links: Record<string, string> = {}): string {
  const directory = host.makeWorkspace(files, (path) => (/(^|\/)\.?bin\//.test(path) ? 0o755 : 0o644));
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(directory, path));
  return directory;
}

const SITE = `.venv/lib/python${version}/site-packages`;
const configure = (home: string, of = version) => ({ ".venv/pyvenv.cfg": `home = ${home}\nversion = ${of}.1\n` });
const PACKAGE = { [`${SITE}/thing.py`]: "VALUE = 42\n" };
const TOOL = {
  ".venv/bin/tool": "#!/gone/project/.venv/bin/python3\nimport sys, thing\nprint(thing.VALUE, sys.argv[1:])\n",
};
const OWN_PYTHON = { ".venv/bin/python": python };
const usual = () => makeWorkspace({ ...configure(dirname(python)), ...PACKAGE, ...TOOL }, OWN_PYTHON);

describe("a virtual environment of the workspace", () => {
  it("gives its packages to code, and says so", async () => {
    const code = "import sys, thing\n[thing.VALUE, sys.executable]";
    const { result, notes } = await host.dock.exec({ code, workspace: usual() });
    expect(result).toEqual([42, "/work/.venv/bin/python"]);
    expect(notes).toEqual([`project environment: .venv (Python ${version})`]);
  });

  it("gives its programs to commands, whatever path they were installed at", async () => {
    const workspace = usual();
    const activate = 'VIRTUAL_ENV=/gone/project/.venv\nPATH="$VIRTUAL_ENV/bin:$PATH"\n';
    writeFileSync(join(workspace, ".venv/bin/activate"), activate);
    const { stdout, error } = await host.dock.exec({
      language: "bash",
      code: ". .venv/bin/activate\ntool a 'b c'\npython -c 'import sys, thing; print(thing.VALUE, sys.prefix)'\necho $0",
      workspace,
    });
    expect(error).toBeNull();
    expect(stdout).toBe("42 ['a', 'b c']\n42 /work/.venv\nbash\n");
    expect((await host.dock.exec({ command: ["tool"], workspace })).stdout).toBe("42 []\n");
  });

  it("is used by a Python of the system, too, after its own modules and before its packages", async () => {
    const workspace = makeWorkspace({ ...configure(dirname(python)), ...PACKAGE, [`${SITE}/json.py`]: "" }, {});
    const code =
      "import json, thing, sys; print(json.dumps(thing.VALUE), [p for p in sys.path if 'packages' in p][-1])";
    const { stdout } = await host.dock.exec({ command: [python, "-c", code], workspace });
    expect(stdout).toMatch(/^42 \/usr\//);
  });

  it("is found with editable installations, by the path of this machine and by how setuptools writes it down", async () => {
    const workspace = usual();
    const at = (path: string) => join(workspace, path);
    mkdirSync(at("src/first"), { recursive: true });
    mkdirSync(at("flat/second"), { recursive: true });
    writeFileSync(at("src/first/__init__.py"), "A = 1\n");
    writeFileSync(at("flat/second/__init__.py"), "B = 2\n");
    writeFileSync(at(`${SITE}/first.pth`), `# editable\n${at("src")}\nimport sys; sys.exit(3)\n/etc\n`);
    writeFileSync(at(`${SITE}/__editable___second_finder.py`), `MAPPING = {'second': '${at("flat/second")}'}\n`);
    const { result, notes } = await host.dock.exec({ code: "import first, second\nfirst.A + second.B", workspace });
    expect(result).toBe(3);
    expect(notes.at(-1)).toContain("/etc, which is outside the workspace");
  });

  it("is used by the sandbox's own Python where its interpreter is missing and the version is the same", async () => {
    const workspace = makeWorkspace({ ...configure("/home/nobody/python/bin"), ...PACKAGE, ...TOOL });
    const { result, notes } = await host.dock.exec({ code: "import thing\nthing.VALUE", workspace });
    expect(result).toBe(42);
    expect(notes[0]).toContain("run by the sandbox's Python, because its own is missing");
    const { stdout } = await host.dock.exec({ language: "bash", code: "tool; python3 -c 'import thing'", workspace });
    expect(stdout).toBe("42 []\n");
  });

  it.each([
    ["of another version", configure("/home/nobody/bin", "3.4"), "it is for Python 3.4, of /home/nobody/bin"],
    [
      "without a version",
      { ".venv/pyvenv.cfg": "home = /home/nobody/bin\n", ".venv/lib/python3.5/README": "" },
      "does not say which Python",
    ],
  ])("%s is not used, and a note says why", async (_name, files, why) => {
    const workspace = makeWorkspace({ ...files, ".venv/lib/python3.4/site-packages/thing.py": "", ...TOOL });
    const { error, notes } = await host.dock.exec({ code: "import thing", workspace });
    expect(error?.code).toBe("code.import_missing");
    expect(notes).toEqual([expect.stringContaining(why)]);
    expect((await host.dock.exec({ command: ["tool"], workspace })).error?.exitCode).toBe(127);
  });

  it("that is a link out of the workspace is not used", async () => {
    const workspace = makeWorkspace({}, { ".venv": join(usual(), ".venv") });
    const { notes } = await host.dock.exec({ code: "1", workspace });
    expect(notes).toEqual(["project environment: .venv is not used: it is a link that leads out of the workspace"]);
  });

  it("brings its own version of a library that waiting interpreters have imported", async () => {
    const workspace = makeWorkspace({ ...configure(dirname(python)), [`${SITE}/numpy/__init__.py`]: "OWN = True\n" });
    const { result } = await host.dock.exec({ code: "import numpy\nnumpy.OWN", workspace });
    expect(result).toBe(true);
    const session = await host.dock.sessions.open({ workspace });
    expect((await session.exec("import numpy\nnumpy.OWN")).result).toBe(true);
    await session.close();
  });

  it("is there in a session, which says so once", async () => {
    const session = await host.dock.sessions.open({ workspace: usual() });
    const first = await session.exec("import thing\nthing.VALUE");
    expect([first.result, first.notes]).toEqual([42, [`project environment: .venv (Python ${version})`]]);
    expect((await session.exec("thing.VALUE")).notes).toEqual([]);
    await session.close();
  });

  it("is there for checks", async () => {
    const checks = ["tool", "python -c 'import thing'", `${python} -c 'import thing'`].map((cmd) => ({
      type: "command" as const,
      cmd,
    }));
    const { verdict, notes } = await host.dock.verify({ workspace: usual(), checks });
    expect([verdict, notes]).toEqual(["passed", [`project environment: .venv (Python ${version})`]]);
  });

  it("is left alone where the policy says so", async () => {
    const policy = { project: { environment: "off" as const } };
    const { error, notes } = await host.dock.exec({ code: "import thing", workspace: usual(), policy });
    expect([error?.code, notes]).toEqual(["code.import_missing", []]);
  });
});

describe("programs of the workspace's Node packages", () => {
  const bin = (name: string, text: string) => ({ [`node_modules/.bin/${name}`]: `#!/bin/sh\necho ${text}\n` });

  it("are found by their names, after those of the system", async () => {
    const workspace = makeWorkspace({ ...bin("local-tool", "local"), ...bin("true", "never") });
    const { stdout, notes } = await host.dock.exec({ language: "bash", code: "local-tool; env true", workspace });
    expect(stdout).toBe("local\n");
    expect(notes).toEqual(["project environment: node_modules/.bin"]);
  });
});

describe("Drydock's own programs", () => {
  /** Any program under the name of Python: it answers to whatever it is asked. */
  const FAKE = "#!/bin/sh\necho fake\nexit 0\n";
  const names = ["python", "python3", "bash", "sh", "env"].map((name) => `.venv/bin/${name}`);

  it("are those of the system, whatever a project has under their names", async () => {
    const workspace = makeWorkspace({
      ...configure(dirname(python)),
      ...Object.fromEntries(names.map((name) => [name, FAKE])),
    });
    const judge = async (cmd: string) =>
      (await host.dock.verify({ workspace, checks: [{ type: "command", cmd }] })).verdict;
    expect([await judge("exit 3"), await judge("true")]).toEqual(["failed", "passed"]);
    const { verdict } = await host.dock.verify({ workspace, checks: [{ type: "python", expression: "1 == 2" }] });
    expect(verdict).toBe("failed");
    expect((await host.dock.exec({ language: "bash", code: "echo $((1 + 1))", workspace })).stdout).toBe("2\n");
  });
});

it("a workspace without any of it is as before", async () => {
  const code = "import os\n[os.environ['PATH'], sorted(k for k in os.environ if 'PYTHON' in k or 'VIRTUAL' in k)]";
  const { result, notes } = await host.dock.exec({ code, workspace: makeWorkspace({ "a.txt": "" }) });
  expect([result, notes]).toEqual([["/drydock/bin:/usr/local/bin:/usr/bin:/bin", []], []]);
});
