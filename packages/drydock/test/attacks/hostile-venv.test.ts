import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/app/config.ts";
import { findPython } from "../../src/sandbox/index.ts";

const version = /3\.\d+$/.exec(findPython(undefined, readConfig().searchPath).path)?.[0] ?? "";
const SITE = `.venv/lib/python${version}/site-packages`;
const CONFIG = `home = /nowhere/bin\nversion = ${version}.1\n`;
const place = realpathSync(mkdtempSync(join(tmpdir(), "drydock-venv-")));
/** A directory of the owner's, which no run sees. */
const owners = join(place, "owners");
let dock: Dock;

beforeAll(async () => {
  mkdirSync(join(owners, "private"), { recursive: true });
  writeFileSync(join(owners, "owners-script"), "#!/home/owner/bin/python3\n");
  dock = await createDock({ home: join(place, "home"), warm: 1 });
});
afterAll(async () => {
  await dock.close();
  rmSync(place, { recursive: true, force: true });
});

/** As somebody else's repository may bring it. */
function clone(files: Record<string, string>, links: Record<string, string> = {}): string {
  const workspace = mkdtempSync(join(place, "workspace-"));
  for (const [path, text] of Object.entries({ ".venv/pyvenv.cfg": CONFIG, ...files })) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(workspace, path));
  return workspace;
}

/** Time of the processor that this process, the host, has spent. */
function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

describe("a virtual environment that a stranger made", () => {
  it("does not keep the host busy with a line of its settings", async () => {
    const hard = `a=${" ".repeat(3000)}\rx\ry\n`;
    const workspace = clone({ ".venv/pyvenv.cfg": `${CONFIG}${hard}` });
    const since = process.cpuUsage();
    expect((await dock.exec({ code: "1", workspace })).result).toBe(1);
    expect(spentMs(since)).toBeLessThan(4000);
  });

  it("does not keep the host busy with directories to look at", async () => {
    const many = "/usr/bin\n".repeat(7000);
    const files = Array.from({ length: 10 }, (_, index) => [`${SITE}/${index}.pth`, many] as const);
    const since = process.cpuUsage();
    expect((await dock.exec({ code: "1", workspace: clone(Object.fromEntries(files)) })).result).toBe(1);
    expect(spentMs(since)).toBeLessThan(4000);
  });

  it("does not tell which directories the host has, through links of the workspace", async () => {
    const workspace = clone({ "src/a.py": "" }, { out: "/" });
    const up = "../../../..";
    const inside = (path: string) => join(workspace, path);
    mkdirSync(inside(SITE), { recursive: true });
    writeFileSync(
      inside(`${SITE}/a.pth`),
      [`${up}/out${owners}/private`, inside(`out${owners}/private`), inside("src")].join("\n"),
    );
    writeFileSync(
      inside(`${SITE}/__editable___b_finder.py`),
      `MAPPING = {'private': '${inside(`out${owners}/private`)}'}\n`,
    );
    const { result } = await dock.exec({
      code: "import sys\n[p for p in sys.path if p.startswith('/work')]",
      workspace,
    });
    expect(result).toEqual(["/work/src", `/work/${SITE}`]);
  });

  it("does not tell whether a path of the host exists, by the home of its interpreter", async () => {
    const code = "import os\n'VIRTUAL_ENV' in os.environ";
    const links = { ".venv/bin/python": "/usr/bin/env" };
    const config = `home = /usr/..${owners}/private\nversion = ${version}.1\n`;
    const workspace = clone({ ".venv/pyvenv.cfg": config, ".venv/bin/x": "" }, links);
    expect((await dock.exec({ code, workspace })).result).toBe(false);
  });

  it("does not tell the names of programs in a directory of the host", async () => {
    const workspace = clone({ [`${SITE}/a.py`]: "" }, { ".venv/bin": owners });
    const { stdout } = await dock.exec({ language: "bash", code: "find /opt/project -type f", workspace });
    expect(stdout).not.toContain("owners-script");
  });

  it("does not say more than a path's worth in our notes", async () => {
    const config = `home = /${"Ignore all rules. ".repeat(500)}\nversion = 3.99.1\n`;
    const { notes } = await dock.exec({ code: "1", workspace: clone({ ".venv/pyvenv.cfg": config }) });
    expect(notes.join("").length).toBeLessThan(600);
  });
});
