import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type ExecOptions } from "drydock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPolicies } from "../../src/app/policies/create-policies.ts";
import { createSessions } from "../../src/app/sessions/create-sessions.ts";
import type { Mount, Work } from "../../src/sandbox/index.ts";
import { openTreeDock, type TreeDock } from "../testing/tree-dock.ts";

const host = mkdtempSync(join(tmpdir(), "drydock-mounts-"));
const mount = join(host, "mount");
const other = join(host, "other");
let dock: TreeDock;

beforeAll(async () => {
  for (const directory of [mount, other]) mkdirSync(directory);
  writeFileSync(join(host, "secret.txt"), "of the host");
  writeFileSync(join(mount, "private.txt"), "only for its owner", { mode: 0o600 });
  writeFileSync(join(mount, "tool"), '#!/bin/sh\necho "ran $0"\n', { mode: 0o755 });
  writeFileSync(join(mount, "raised"), "#!/bin/sh\nid -u\n");
  chmodSync(join(mount, "raised"), 0o6755);
  symlinkSync(join(host, "secret.txt"), join(mount, "out"));
  symlinkSync("../secret.txt", join(mount, "up"));
  symlinkSync("tool", join(mount, "within"));
  writeFileSync(join(host, "linked.txt"), "unchanged");
  linkSync(join(host, "linked.txt"), join(mount, "linked.txt"));
  writeFileSync(join(other, "name.txt"), "the other one");
  dock = await openTreeDock();
});

afterAll(async () => {
  await dock.close();
  rmSync(host, { recursive: true, force: true });
});

async function run(work: Work, mounts: readonly Mount[], workspace: string | null = null) {
  const policy = { ...dock.policy, python: { ...dock.policy.python, guard: "off" as const } };
  const outcome = await dock.sandbox.run({ work, policy, workspace, environment: {}, mounts });
  return { ...outcome, stdout: outcome.stdout.toString(), stderr: outcome.stderr.toString() };
}

const python = (code: string, mounts: readonly Mount[], workspace?: string) =>
  run({ language: "python", code }, mounts, workspace);

describe("a directory beside the workspace", () => {
  const at = (target: string) => [{ source: mount, target }];

  test.each(["/extension", "/extension/tools", "/opt/environment", "/opt/a/b"])(
    "is read and executed at %s, also what only its owner may read",
    async (target) => {
      const code = `
import subprocess
result = [open("${target}/private.txt").read(), subprocess.run(["${target}/within"], capture_output=True, text=True).stdout]
`;
      expect((await python(code, at(target))).result).toEqual(["only for its owner", `ran ${target}/within\n`]);
    },
  );

  test("shares no lock with the host", async () => {
    const lock =
      "import fcntl, os; file = os.open(PATH, 0); fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB); print('locked', flush=True)";
    const holder = spawn("python3", ["-c", `PATH = ${JSON.stringify(join(mount, "tool"))}; ${lock}; input()`]);
    try {
      await once(holder.stdout, "data");
      expect((await python(`PATH = "/extension/tool"; ${lock}`, at("/extension"))).stdout).toBe("locked\n");
    } finally {
      holder.stdin.end();
    }
  });

  test("is there for Node, bash and commands, and beside a workspace", async () => {
    const workspace = dock.makeWorkspace({ "here.txt": "the workspace" });
    const node = 'console.log(require("fs").readFileSync("/extension/private.txt", "utf8"))';
    expect((await run({ language: "node", code: node }, at("/extension"))).stdout).toBe("only for its owner\n");
    const bash = "cat here.txt /extension/private.txt";
    const beside = await run({ language: "bash", code: bash }, at("/extension"), workspace);
    expect(beside.stdout).toBe("the workspaceonly for its owner");
    const command = await run({ language: "command", code: "", argv: ["/extension/tool"] }, at("/extension"));
    expect(command.stdout).toBe("ran /extension/tool\n");
  });

  test("can't be written to, changed, covered or unmounted", async () => {
    const code = `
import ctypes, os, shutil
libc = ctypes.CDLL(None, use_errno=True)
won = []
def attempt(name, action):
    try:
        action()
        won.append(name)
    except OSError:
        pass
base = "/opt/environment"
for place in (base, "/opt", "/extension", "/"):
    attempt(("create", place), lambda: open(place + "/new", "w"))
    attempt(("mkdir", place), lambda: os.mkdir(place + "/directory"))
    attempt(("symlink", place), lambda: os.symlink("/", place + "/symlink"))
    attempt(("mode", place), lambda: os.chmod(place, 0o777))
    for flags in (32, 32 | 4096, 4096):
        if libc.mount(b"none", place.encode(), b"tmpfs", flags, None) == 0: won.append(("mount", place, flags))
    if libc.umount2(place.encode(), 2) == 0: won.append(("umount", place))
    attributes = (0).to_bytes(8, "little") + (1).to_bytes(8, "little") + bytes(16)
    if libc.syscall(442, -100, place.encode(), 0, attributes, 32) == 0: won.append(("mount_setattr", place))
for name in ("private.txt", "tool", "linked.txt"):
    path = base + "/" + name
    attempt(("append", name), lambda: open(path, "a"))
    attempt(("truncate", name), lambda: os.truncate(path, 0))
    attempt(("chmod", name), lambda: os.chmod(path, 0o777))
    attempt(("fchmod", name), lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o777))
    attempt(("chown", name), lambda: os.chown(path, 0, 0))
    attempt(("utime", name), lambda: os.utime(path, (1, 1)))
    attempt(("xattr", name), lambda: os.setxattr(path, "user.x", b"1"))
    attempt(("unlink", name), lambda: os.unlink(path))
    attempt(("rename", name), lambda: os.rename(path, base + "/renamed"))
    attempt(("rename out", name), lambda: os.rename(path, "/work/renamed"))
    attempt(("link", name), lambda: os.link(path, "/work/" + name))
    attempt(("link by descriptor", name), lambda: os.link("/proc/self/fd/%d" % os.open(path, os.O_RDONLY), "/work/d-" + name))
    attempt(("reopen", name), lambda: os.open("/proc/self/fd/%d" % os.open(path, os.O_RDONLY), os.O_RDWR))
attempt("rmtree", lambda: shutil.rmtree(base))
result = won
`;
    expect((await python(code, at("/opt/environment"))).result).toEqual([]);
    expect(readFileSync(join(host, "linked.txt"), "utf8")).toBe("unchanged");
  });

  test("leads nowhere by its links, by .. and by the places that mounts are made in", async () => {
    const code = `
import os
got = []
for base in ("/extension", "/.lower", "/.scratch"):
    for name in ("out", "up", "../secret.txt", "../../secret.txt", "../linked.txt", "../other/name.txt"):
        try: got.append((base, name, open(base + "/" + name).read()))
        except OSError: pass
got += [name for name in os.listdir("/extension/..") if name in ("secret.txt", "linked.txt", "mount", "other")]
result = got
`;
    expect((await python(code, at("/extension"))).result).toEqual([]);
  });

  test("gives nobody the rights of a file's owner, and no device", async () => {
    const code = `
import os
flags = next(line for line in open("/proc/self/mountinfo") if " /extension " in line).split()[5].split(",")
result = [os.popen("/extension/raised").read(), sorted({"ro", "nosuid", "nodev"} & set(flags)), "noexec" in flags]
`;
    expect((await python(code, at("/extension"))).result).toEqual(["1000\n", ["nodev", "nosuid", "ro"], false]);
  });

  test("is not there for other runs, before, meanwhile or after", async () => {
    const look = `
import os, time
open("/work/at", "w")
time.sleep(0.3)
result = {place: sorted(os.listdir(place)) for place in ("/extension", "/opt")}
`;
    const [first, second, none] = await Promise.all([
      python(look, [{ source: mount, target: "/opt/first" }]),
      python(look, [
        { source: other, target: "/extension" },
        { source: other, target: "/opt/second" },
      ]),
      python(look, []),
    ]);
    expect(first.result).toEqual({ "/extension": [], "/opt": ["first"] });
    expect(second.result).toEqual({ "/extension": ["name.txt"], "/opt": ["second"] });
    expect(none.result).toEqual({ "/extension": [], "/opt": [] });
    expect((await python(look, [])).result).toEqual({ "/extension": [], "/opt": [] });
  });

  test("is there in each step of a session", async () => {
    const home = mkdtempSync(join(host, "home-"));
    const { ledger, sandbox } = dock;
    const policies = createPolicies(home);
    const sessions = createSessions({ ledger, policies, own: [home], sandbox: () => sandbox, environment: {} });
    const session = await sessions.open({}, { requirements: [], mounts: at("/extension"), environment: {} });
    await session.exec('text = open("/extension/private.txt").read()');
    const step = await session.exec('try: open("/extension/new", "w")\nexcept OSError: result = text');
    expect(step).toMatchObject({ ok: true, result: "only for its owner" });
    await sessions.closeAll();
  });

  test.each(["a link takes the place of", "somebody removes"])(
    "is not mounted when %s it after it was looked at",
    async (what) => {
      const moving = mkdtempSync(join(host, "moving-"));
      const mounts = [{ source: moving, target: "/extension" }];
      let moves = 0;
      // The code is read when the directory has been checked, and before it is mounted.
      const work: Work = {
        language: "python",
        get code() {
          if (moves++ === 0) {
            rmSync(moving, { recursive: true });
            if (what.startsWith("a link")) symlinkSync(other, moving);
          }
          return "1";
        },
      };
      await expect(run(work, mounts)).rejects.toMatchObject({
        code: "sandbox.unavailable",
        message: expect.stringContaining(`${moving} could not be mounted on /extension`),
      });
    },
  );
});

describe("what is refused before anything runs", () => {
  test.each([
    ["a system's directory", "/usr"],
    ["what lies in one", "/usr/lib/x"],
    ["the work directory", "/work"],
    ["the root", "/"],
    ["all of /opt", "/opt"],
    ["a relative path", "extension"],
    ["a path with ..", "/opt/../usr"],
    ["a path with .", "/opt/./x"],
    ["a path that ends in a slash", "/opt/x/"],
    ["a doubled slash", "/opt//x"],
    ["a NUL byte", "/opt/x\0y"],
    ["a place of its own", "/mount"],
    ["a name that only begins alike", "/extensions"],
  ])("a target that is %s", async (_, target) => {
    await expect(python("", [{ source: mount, target }])).rejects.toMatchObject({ code: "input.invalid" });
  });

  test("a target inside another's, or the same twice", async () => {
    for (const targets of [
      ["/opt/a", "/opt/a/b"],
      ["/extension/x", "/extension"],
      ["/opt/a", "/opt/a"],
    ]) {
      const mounts = targets.map((target) => ({ source: mount, target }));
      await expect(python("", mounts)).rejects.toMatchObject({ code: "input.invalid" });
    }
  });

  test("a source that is missing, a file, a link, relative, or holds Drydock's own directories", async () => {
    symlinkSync(mount, join(host, "link"));
    const own = join(dock.makeWorkspace({}), "..");
    for (const source of [join(host, "missing"), join(mount, "tool"), join(host, "link"), "mount", "/", own]) {
      const refused = python("", [{ source, target: "/extension" }]);
      await expect(refused).rejects.toMatchObject({ code: "input.invalid", data: { source } });
    }
  });

  test("one that a request asks for: it is no part of what can be asked for from outside", async () => {
    const home = mkdtempSync(join(host, "home-"));
    const outside = await createDock({ home, warm: 0 });
    const request = { code: "print(1)", mounts: [{ source: mount, target: "/extension" }] } as ExecOptions;
    await expect(outside.exec(request)).rejects.toMatchObject({ code: "input.invalid" });
    await outside.close();
  });

  test("any of them without a sandbox", async () => {
    const work = { language: "python", code: "" } as const;
    const { policy } = dock;
    const mounts = [{ source: mount, target: "/extension" }];
    const bare = dock.sandbox.run({ work, policy, workspace: null, environment: {}, mounts, unconfined: true });
    await expect(bare).rejects.toMatchObject({ code: "sandbox.level" });
  });
});
