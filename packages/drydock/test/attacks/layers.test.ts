import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();

describe("writing outside of the layer", () => {
  test("the user's files stay as they were, whatever is written, renamed, linked or deleted inside", async () => {
    const workspace = it.makeWorkspace({ "a.txt": "a", "b/c.txt": "c", "b/d.txt": "d", "run.sh": "#!/bin/sh\n" });
    chmodSync(join(workspace, "run.sh"), 0o755);
    const result = await it.attack(
      `
import os, shutil
open("a.txt", "w").write("changed"); open("a.txt", "a").write("more")
os.rename("b/c.txt", "a2"); os.link("b/d.txt", "hard"); open("hard", "w").write("through a hard link")
os.chmod("run.sh", 0o777); os.utime("run.sh", (0, 0)); os.truncate("run.sh", 0)
os.setxattr("a.txt", "user.evil", b"1")
shutil.rmtree("b"); os.mkdir("b"); os.symlink("/etc/passwd", "b/c.txt")
os.remove("a2")
`,
      { workspace },
    );
    expect(result.error).toBe(null);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a");
    expect(readFileSync(join(workspace, "b/c.txt"), "utf8")).toBe("c");
    expect(readFileSync(join(workspace, "b/d.txt"), "utf8")).toBe("d");
    expect(readFileSync(join(workspace, "run.sh"), "utf8")).toBe("#!/bin/sh\n");
    expect(readdirSync(workspace).sort()).toEqual(["a.txt", "b", "run.sh"]);
  });

  test("symlinks of the workspace that lead out of it are followed neither for reading nor for writing", async () => {
    const workspace = it.makeWorkspace({ "a.txt": "a" });
    mkdirSync(join(it.host, "outside"));
    writeFileSync(join(it.host, "outside/target"), it.canary);
    symlinkSync(join(it.host, "outside/target"), join(workspace, "absolute"));
    symlinkSync("../outside/target", join(workspace, "relative"));
    symlinkSync(join(it.host, "outside"), join(workspace, "directory"));
    symlinkSync("../../../../../../../../..", join(workspace, "up"));
    const result = await it.attack(
      `
won = []
for path in ("absolute", "relative", "directory/target", "up${it.host}/outside/target", "up${it.host}/canary.txt"):
    try: won.append(open(path).read())
    except OSError: pass
    try: open(path, "a").write("overwritten")
    except OSError: pass
result = won
`,
      { workspace },
    );
    expect(result.result).toEqual([]);
    expect(saidBy(result)).not.toContain(it.canary);
    expect(readFileSync(join(it.host, "outside/target"), "utf8")).toBe(it.canary);
  });

  test("a link that is left behind is told as a link: the host's file is never copied into the record", async () => {
    const workspace = it.makeWorkspace({ "a.txt": "a", "d/canary.txt": "base" });
    const secret = join(it.host, "canary.txt");
    const result = await it.attack(
      `
import os
os.symlink(${JSON.stringify(secret)}, "stolen"); os.symlink("/etc/shadow", "shadow"); os.symlink("/proc/self/environ", "environ")
os.remove("a.txt"); os.symlink(${JSON.stringify(secret)}, "a.txt")
import shutil; shutil.rmtree("d"); os.symlink(${JSON.stringify(it.host)}, "d")
`,
      { workspace },
    );
    const diff = await it.dock.runs.diff(result.runId);
    expect(saidBy(result)).not.toContain(it.canary);
    expect(diff).not.toContain(it.canary);
    expect(diff).not.toContain("root:");
    for (const artifact of await it.dock.runs.artifacts(result.runId)) {
      expect(Buffer.from(await it.dock.runs.readArtifact(artifact.id)).toString()).not.toContain(it.canary);
    }
  });

  test("a directory in place of the user's symlink does not make the diff read behind the link", async () => {
    const workspace = it.makeWorkspace({});
    mkdirSync(join(it.host, "behind"));
    writeFileSync(join(it.host, "behind/secret"), it.canary);
    symlinkSync(join(it.host, "behind"), join(workspace, "link"));
    const result = await it.attack(
      `import os; os.remove("link"); os.mkdir("link"); open("link/secret", "w").write("mine")`,
      { workspace },
    );
    expect(result.changes.map(({ path }) => path)).toContain("link/secret");
    expect(await it.dock.runs.diff(result.runId)).not.toContain(it.canary);
  });

  test("hard links to files outside of the workspace", async () => {
    const result = await it.attack(
      `
import os
won = []
for path in ("/etc/passwd", "/usr/bin/id", "/drydock/bin/node", "/proc/self/exe", "/dev/null", "/proc/1/exe"):
    for name in ("/work/link", "/tmp/link"):
        try: os.link(path, name); won.append(path)
        except OSError: pass
result = won
`,
      { workspace: it.makeWorkspace({ a: "" }) },
    );
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("the overlay's own marks, set by hand", async () => {
    const workspace = it.makeWorkspace({ "d/keep.txt": "keep", "e/keep.txt": "keep" });
    const code = `
import os, stat
won = []
for name, value in (("user.overlay.opaque", b"y"), ("user.overlay.redirect", b"/../../etc"), ("user.overlay.metacopy", b""), ("trusted.overlay.opaque", b"y"), ("user.overlay.whiteout", b"y")):
    for path in ("d", "."):
        try: os.setxattr(path, name, value); won.append(name)
        except OSError: pass
for path in ("e/keep.txt", "ghost"):
    try:
        if os.path.exists(path): os.rename(path, path + ".old")
        os.mknod(path, stat.S_IFCHR, 0); won.append("whiteout")
    except OSError: pass
result = won
`;
    const result = await it.attack(code, { workspace });
    expect(result.error).toBe(null);
    expect(result.changes.filter(({ path }) => path === "d/keep.txt" || path === "ghost")).toEqual([]);
    const empty = await it.attack(`import os; os.mkdir("d"); os.mkdir("e"); open("e/keep.txt", "w").close()${code}`);
    expect(empty.error).toBe(null);
    expect(empty.changes.every(({ kind }) => kind === "added")).toBe(true);
  });
});

describe("what the policy hides or protects", () => {
  const files = {
    ".env": "SECRET",
    "sub/.env.local": "SECRET",
    "sub/key.pem": "SECRET",
    "sub/a.txt": "a",
    "deep/er/id_rsa": "SECRET",
    ".git/config": "[core]",
    ".git/hooks/deploy.pem": "SECRET",
    ".drydock/.env": "SECRET",
    "a.txt": "a",
  };
  const search = `
import os
found = []
for directory, _, names in os.walk("/work"):
    for name in names:
        try:
            if "SECRET" in open(os.path.join(directory, name)).read(): found.append(os.path.join(directory, name))
        except (OSError, UnicodeDecodeError): pass
for path in (".env", "sub/.env.local", "sub/key.pem", "deep/er/id_rsa", ".git/hooks/deploy.pem", ".drydock/.env", "/.lower/.env", "/.scratch/mask/.env", "/.scratch/upper/.env", "sub/../.env", "/proc/self/cwd/.env"):
    try: found.append((path, open(path).read()))
    except OSError: pass
`;

  test("hidden files do not exist inside, by any path, inside of protected directories too", async () => {
    const result = await it.attack(`${search}\nresult = found`, { workspace: it.makeWorkspace(files) });
    expect(result).toMatchObject({ ok: true, result: [] });
    expect(saidBy(result)).not.toContain("SECRET");
  });

  test("hidden files come back neither by moving their directory, deleting it, nor linking to it", async () => {
    const workspace = it.makeWorkspace(files);
    symlinkSync("../.env", join(workspace, "sub/link"));
    const result = await it.attack(
      `
import os, shutil
for act in (lambda: os.rename("sub", "moved"), lambda: os.rename("deep", "deeper"), lambda: shutil.copytree(".git", "copy"), lambda: os.rename(".git", "git2"),
            lambda: os.rmdir("deeper/er"), lambda: os.mkdir("deep"), lambda: os.link(".env", "linked"), lambda: shutil.rmtree("moved"), lambda: os.mkdir("sub")):
    try: act()
    except OSError: pass
${search}
result = found
`,
      { workspace },
    );
    expect(result.result).toEqual([]);
    expect(saidBy(result)).not.toContain("SECRET");
    expect(await it.dock.runs.diff(result.runId)).not.toContain("SECRET");
  });

  test("protected directories can't be changed, and a run that makes new ones is refused delivery", async () => {
    const workspace = it.makeWorkspace(files);
    const result = await it.attack(
      `
import os, shutil
won = []
for act in (lambda: open(".git/config", "w").write("x"), lambda: open(".git/hooks/post-commit", "w").write("evil"), lambda: os.rename(".git", "x"),
            lambda: os.remove(".git/config"), lambda: shutil.rmtree(".git"), lambda: os.chmod(".git/config", 0o777), lambda: os.symlink("/tmp", ".git/link")):
    try: act(); won.append(act.__code__.co_names)
    except OSError: pass
result = won
`,
      { workspace },
    );
    expect(result).toMatchObject({ ok: true, result: [], changes: [] });
    expect(readFileSync(join(workspace, ".git/config"), "utf8")).toBe("[core]");
    const fresh = await it.attack(
      `import os; os.makedirs("sub/.git/hooks"); os.makedirs(".git/hooks"); open(".git/hooks/post-commit", "w").write("evil")`,
      { workspace: it.makeWorkspace({ "sub/a.txt": "a" }) },
    );
    expect(fresh).toMatchObject({ ok: false, error: { code: "policy.path_denied" } });
  });

  test("a write outside of the scope, by rename, by link and through a symlinked directory, is told", async () => {
    const workspace = it.makeWorkspace({ "src/a.txt": "a", "other/b.txt": "b" });
    for (const act of [
      `os.rename("src/a.txt", "other/a.txt")`,
      `os.link("src/a.txt", "other/a.txt")`,
      `os.symlink("../other", "src/way"); open("src/way/new.txt", "w").write("x")`,
      `os.remove("other/b.txt")`,
      `os.chmod("other/b.txt", 0o777)`,
    ]) {
      const result = await it.attack(`import os\n${act}`, { workspace, policy: { files: { write: ["src/**"] } } });
      expect(result).toMatchObject({ ok: false, error: { code: "policy.path_denied" } });
    }
    expect(readdirSync(join(workspace, "other"))).toEqual(["b.txt"]);
  });

  test("without access to files there is nothing but an empty directory", async () => {
    const workspace = it.makeWorkspace(files);
    linkSync(join(workspace, "a.txt"), join(workspace, "b.txt"));
    const policy = { files: { access: false } };
    expect(await it.attack("print(1)", { workspace, policy })).toMatchObject({
      ok: false,
      error: { code: "policy.path_denied" },
    });
    expect(await it.attack("import os; result = os.listdir('.')", { policy })).toMatchObject({ ok: true, result: [] });
    expect(existsSync(join(workspace, "b.txt"))).toBe(true);
  });
});
