import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const isRoot = process.getuid?.() === 0;

describe("what is hidden", () => {
  it("does not exist inside: by name, nested, below a hidden directory, in listings and by path", async () => {
    const workspace = test.makeWorkspace({
      ".env": "TOP=secret",
      "app/.env.local": "SUB=secret",
      "certs/server.pem": "secret",
      "home/.ssh/id_rsa": "secret",
      "private/deep/file.txt": "secret",
      "app/main.py": "print(1)",
    });
    const run = await test.python(
      [
        "import os",
        "names = sorted(os.path.join(d, f) for d, _, fs in os.walk('.') for f in fs)",
        "tried = []",
        "for path in ['.env', 'app/.env.local', 'certs/server.pem', 'home/.ssh/id_rsa', 'private/deep/file.txt']:",
        "    try: tried.append(open(path).read())",
        "    except OSError as error: tried.append(type(error).__name__)",
        "result = [names, tried]",
      ].join("\n"),
      { workspace, policy: { files: { hide: ["**/.env", "**/.env.*", "**/*.pem", "**/id_*", "private/**"] } } },
    );
    expect(run.result).toEqual([["./app/main.py"], Array.from({ length: 5 }, () => "FileNotFoundError")]);
    expect(JSON.stringify(run)).not.toContain("secret");
  });

  it.each([
    ["a password in an address", "url = https://me:pa55@example.org/x.git", true],
    ["a token in the place of a name", `url = https://${"x".repeat(40)}@example.org/x.git`, true],
    ["a header", "extraheader = AUTHORIZATION: basic eDp5", true],
    ["a header behind the name of its section", '[http "https://x/"] extraheader = AUTHORIZATION: basic eDp5', true],
    ["a short token in the place of a name", "url = https://t0k@example.org/x.git", true],
    ["a password for mail", "[sendemail] smtpPass = pa55", true],
    ["a helper that is a command", 'helper = "!echo password=pa55"', true],
    ["no credentials", "url = ssh://git@example.org/x.git\n[user]\n name = me", false],
  ])("git's configuration is hidden where it holds credentials, and git goes on: %s", async (_what, line, isHidden) => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    execFileSync("git", ["init", "-q", workspace]);
    writeFileSync(
      join(workspace, ".git/config"),
      `[core]\n repositoryformatversion = 0\n[remote "origin"]\n ${line}\n`,
    );
    const run = await test.bash("cat .git/config 2>/dev/null; git status --short", { workspace });
    expect(run).toMatchObject({ ok: true, stdout: expect.stringContaining("?? a.txt") });
    expect(run.stdout.includes(line)).toBe(!isHidden);
  });

  it("git's configuration is hidden at any depth, and stays what it is", async () => {
    const secret = "[remote]\n url = https://me:pa55@example.org/x.git\n";
    const plain = "[user]\n name = me\n";
    const paths = ["a/.git/config", "a/b/.git/modules/c/config", "bare.git/config"];
    const workspace = test.makeWorkspace({
      ...Object.fromEntries(paths.map((path) => [path, secret])),
      "plain/.git/config": plain,
      "plain/.git/refs/heads/config/one": "0",
    });
    const run = await test.bash(
      `cat ${paths.join(" ")} 2>/dev/null; cat plain/.git/config plain/.git/refs/heads/config/*`,
      { workspace },
    );
    expect(run).toMatchObject({ ok: true, stdout: `${plain}0`, changes: [] });
    const replaced = await test.bash("echo x > a/.git/config", { workspace });
    expect(replaced.error).toMatchObject({ code: "policy.path_denied" });
    const fresh = await test.bash("git init -q new && git -C new config user.name me", { workspace });
    expect(fresh).toMatchObject({ ok: true });
    // What was shown is hidden once it holds credentials.
    writeFileSync(join(workspace, "plain/.git/config"), secret);
    const later = await test.bash("cat plain/.git/config 2>/dev/null; true", { workspace });
    expect(later).toMatchObject({ ok: true, stdout: "" });
  });

  it("can't be replaced either: a write in its place is denied", async () => {
    const workspace = test.makeWorkspace({ ".env": "A=1" });
    const run = await test.bash("echo B=2 > .env", { workspace });
    expect(run.error).toMatchObject({ code: "policy.path_denied" });
    expect(readFileSync(join(workspace, ".env"), "utf8")).toBe("A=1");
  });
});

describe("what is protected", () => {
  it("can be read and not be written: .git", async () => {
    const workspace = test.makeWorkspace({ ".git/HEAD": "ref: refs/heads/main\n", "a.txt": "a" });
    const read = await test.bash("cat .git/HEAD", { workspace });
    expect(read).toMatchObject({ ok: true, stdout: "ref: refs/heads/main\n" });
    for (const code of ["echo x > .git/HEAD", "touch .git/hooks", "rm -rf .git", "mv .git old"]) {
      const run = await test.bash(code, { workspace });
      expect(run.ok, code).toBe(false);
      expect(run.changes, code).toEqual([]);
    }
    expect(readFileSync(join(workspace, ".git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
  });

  it("can't be made where it is not there", async () => {
    const run = await test.bash("mkdir .git; echo x > .git/config", { workspace: test.makeWorkspace({}) });
    expect(run.error).toMatchObject({ code: "policy.path_denied" });
  });
});

describe("the write scope", () => {
  const policy = { files: { write: ["src/**"] } };

  it("names what was written outside of it", async () => {
    const workspace = test.makeWorkspace({ "src/a.txt": "a", "b.txt": "b" });
    const inside = await test.bash("echo x > src/a.txt; echo y > src/new.txt", { workspace, policy });
    expect(inside).toMatchObject({ ok: true });
    const outside = await test.bash("echo x > src/a.txt; echo y > b.txt; echo z > c.txt", { workspace, policy });
    expect(outside.error).toMatchObject({ code: "policy.path_denied", paths: ["b.txt", "c.txt"] });
    const captured = (await test.dock.runs.events(outside.runId)).find((event) => event.type === "layer.captured");
    expect(captured?.data.denied).toEqual(["b.txt", "c.txt"]);
  });

  it("is not widened through links", async () => {
    const workspace = test.makeWorkspace({ "src/a.txt": "a", "b.txt": "b" });
    symlinkSync("../b.txt", join(workspace, "src/link"));
    expect((await test.bash("echo x > src/link", { workspace, policy })).error?.code).toBe("policy.path_denied");
    expect((await test.bash("ln b.txt src/hard; echo x > src/hard", { workspace, policy })).ok).toBeDefined();
    expect(readFileSync(join(workspace, "b.txt"), "utf8")).toBe("b");
  });

  it("files.access: false leaves an empty directory, and no workspace at all", async () => {
    const closed = { files: { access: false } };
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    expect((await test.python("1", { workspace, policy: closed })).error).toMatchObject({ code: "policy.path_denied" });
    expect(await test.python("import os\nos.listdir('.')", { policy: closed })).toMatchObject({ ok: true, result: [] });
  });
});

describe("a policy in the workspace", () => {
  it("narrows", async () => {
    const workspace = test.makeWorkspace({
      ".drydock/policy.yaml": "limits: { wallSeconds: 0.5 }\nfiles: { write: ['out/**'] }",
    });
    expect((await test.python("import time\ntime.sleep(20)", { workspace })).error?.code).toBe("limit.timeout");
    expect((await test.bash("echo x > elsewhere", { workspace })).error?.code).toBe("policy.path_denied");
  });

  it("does not raise a default, even below the ceiling", async () => {
    const workspace = test.makeWorkspace({ ".drydock/policy.yaml": "limits: { memoryMb: 2048 }" });
    const run = await test.python("1", { workspace });
    const [created] = await test.dock.runs.events(run.runId);
    expect(created?.data).toMatchObject({ policy: { limits: { memoryMb: 512 } } });
  });

  it.each([
    "network: { allow: ['example.org:443'] }",
    "limits: { memoryMb: 1000000 }",
    "environment: { allow: [HOME, SECRET] }",
    "limits: { memoryMB: 1 }",
    "limits: [",
  ])("that widens or can't be read is refused, and nothing runs: %s", async (text) => {
    const workspace = test.makeWorkspace({ ".drydock/policy.yaml": text });
    const run = await test.python("print('ran')", { workspace });
    expect(run).toMatchObject({ ok: false, stdout: "" });
    expect(run.error?.code).toMatch(/^policy\./);
    expect(`${run.error?.message}`).toContain("policy.yaml");
  });
});

describe("a directory that does not keep still", () => {
  it("that somebody changes during the run is noted", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a", "b.txt": "b" });
    const run = await test.python("print('up')\nimport time\ntime.sleep(0.5)", {
      workspace,
      onOutput: () => {
        writeFileSync(join(workspace, "a.txt"), "changed outside");
        writeFileSync(join(workspace, "n.txt"), "new outside");
      },
    });
    expect(run.ok).toBe(true);
    expect(run.notes.join()).toContain("a.txt");
    expect(run.changes).toEqual([]);
    const again = await test.python("open('a.txt').read()", { workspace });
    expect(again.result).toBe("changed outside");
    expect(again.notes).toEqual([]);
  });

  it.each(["removed", "moved away", "replaced by a file"])(
    "that is %s during the run gives a result, not a hang",
    async (how) => {
      const workspace = test.makeWorkspace({ "a.txt": "a" });
      const run = await test.python("print('up')\nimport time\ntime.sleep(0.3)\nopen('b.txt', 'w').write('b')", {
        workspace,
        onOutput: () => {
          if (how === "moved away") renameSync(workspace, `${workspace}-moved`);
          else rmSync(workspace, { recursive: true });
          if (how === "replaced by a file") writeFileSync(workspace, "x");
        },
      });
      expect(["boolean"]).toContain(typeof run.ok);
      expect(run.error === null ? run.notes.join() : run.error.code).not.toBe("");
      expect((await test.dock.runs.get(run.runId)).status).not.toBe("running");
      expect((await test.python("2")).result).toBe(2);
    },
  );

  it("that is a link is the directory behind it", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    symlinkSync(workspace, `${workspace}-link`);
    const run = await test.bash("cat a.txt; echo b > b.txt", { workspace: `${workspace}-link` });
    expect(run).toMatchObject({ ok: true, stdout: "a", changes: [{ path: "b.txt", kind: "added" }] });
    expect((await test.dock.runs.get(run.runId)).workspace).toBe(workspace);
    expect(existsSync(join(workspace, "b.txt"))).toBe(false);
  });

  it.runIf(isRoot)("of root's with files for nobody else can be worked on", async () => {
    const workspace = test.makeWorkspace({ "closed.txt": "one\n", "dir/closed.txt": "two\n" });
    chmodSync(join(workspace, "closed.txt"), 0o600);
    chmodSync(join(workspace, "dir"), 0o700);
    chmodSync(workspace, 0o700);
    const run = await test.bash("echo more >> closed.txt; rm dir/closed.txt; cat closed.txt", { workspace });
    expect(run).toMatchObject({ ok: true, stdout: "one\nmore\n" });
    expect(run.changes).toMatchObject([
      { path: "closed.txt", kind: "changed" },
      { path: "dir/closed.txt", kind: "deleted" },
    ]);
    expect(readFileSync(join(workspace, "closed.txt"), "utf8")).toBe("one\n");
  });

  it("that is Drydock's own is refused, and one around it does not show it", async () => {
    for (const workspace of [test.home, join(test.home, "cache")]) {
      await expect(test.bash("ls", { workspace })).rejects.toMatchObject({ code: "input.invalid" });
    }
    const run = await test.bash("ls -a; ls home", { workspace: test.directory });
    expect(run.stdout.split("\n")).not.toContain("home");
    expect(run.stdout).toContain("workspace-");
    expect(run.ok).toBe(false);
  });
});
