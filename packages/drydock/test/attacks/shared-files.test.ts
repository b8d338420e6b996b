import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();
const limits = { openFiles: 4096 };
const isRoot = process.getuid?.() === 0;

/**
 * What a run can open of the system: every place where something is mounted, and what lies right below. An ordinary user can't
 * make devices, so that those are the host's there.
 */
const PATHS = `
import os
def reachable():
    found = {"/usr/bin/env", "/usr/bin/sh", "/etc/passwd", "/etc/ssl/certs", "/drydock/bin/node", "/proc/self/exe"}
    places = {line.split()[4] for line in open("/proc/self/mountinfo")} | {"/", "/etc", "/usr/bin", "/usr/lib", "/bin", "/lib", "/opt/mount"}
    for place in places:
        if place.startswith(("/proc", "/work", "/tmp", "/var/tmp", "/dev/shm", "/home")): continue
        found.add(place)
        if os.path.isdir(place) and os.access(place, os.R_OK): found |= {os.path.join(place, name) for name in os.listdir(place)}
    if ${isRoot ? "False" : "True"}: found -= {"/dev/" + name for name in ("null", "zero", "full", "random", "urandom")}
    files = {}
    for path in sorted(found):
        try: there = os.stat(path)
        except OSError: continue
        if path == "/proc/self/exe" or not os.path.realpath(path).startswith(("/proc", "/work", "/tmp")): files.setdefault((there.st_dev, there.st_ino), path)
    return sorted(files.values())
`;

const LOCK = `${PATHS}
import fcntl, struct
held = []
def take(paths):
    refused = []
    for path in dict.fromkeys(paths):
        try: descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError: continue
        held.append(descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
            if struct.unpack("hhqqi4x", fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))[0] != fcntl.F_UNLCK: refused.append(path + " (posix)")
            fcntl.fcntl(descriptor, fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))
        except OSError: refused.append(path)
    return refused
`;

const WATCH = `${PATHS}
import ctypes, struct
libc = ctypes.CDLL(None, use_errno=True)
notes = libc.inotify_init1(0o4000)
names = {libc.inotify_add_watch(notes, path.encode(), 0xfff): path for path in reachable()}
def events():
    seen = set()
    try:
        while True:
            data = os.read(notes, 65536)
            while data:
                number, _, _, length = struct.unpack_from("iIII", data)
                seen.add("%s %s" % (names.get(number), data[16:16 + length].rstrip(b"\\0").decode()))
                data = data[16 + length:]
    except BlockingIOError:
        return sorted(seen)
os.listdir("/usr/bin"); open("/usr/bin/env").close()
own = events()
`;

/** Starts hostile code, and gives back how to end it once it has said that it is ready: it goes on until its input ends. */
async function underWay(code: string, options: Parameters<typeof it.attack>[1] = {}) {
  const { promise: ended, resolve: endInput } = Promise.withResolvers<void>();
  async function* input() {
    yield "";
    await ended;
  }
  let text = "";
  let received = () => {};
  const ready = new Promise<void>((resolve) => {
    received = resolve;
  });
  const run = it.attack(code, {
    ...options,
    limits: { ...options.limits, wallSeconds: 120 },
    stdin: input(),
    onOutput: (chunk) => {
      text += chunk.text;
      if (text.includes("ready\n")) received();
    },
  });
  await Promise.race([ready, run]);
  return async () => {
    endInput();
    expect(await run).toMatchObject({ ok: true, error: null });
    return text;
  };
}

/** What whoever works on the host does: programs start, files are opened, devices are used. */
function workOnHost(): void {
  const script =
    "/usr/bin/env true; ls / /etc /usr/bin /etc/ssl/certs; cat /usr/bin/env /etc/passwd; head -c1 /dev/zero";
  expect(spawnSync("sh", ["-c", `${script} > /dev/null; /usr/bin/python3 -c 1; ${process.execPath} -e 0`]).status).toBe(
    0,
  );
}

function lockOnHost(paths: string[]): string[] {
  const code = `${LOCK}\nimport json, sys\nprint(json.dumps(take(json.load(sys.stdin))))`;
  const { stdout, stderr } = spawnSync("python3", ["-c", code], { input: JSON.stringify(paths), encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as string[];
}

describe("files that runs and the host have in common", () => {
  test("watches tell nothing of what the host and other runs do", async () => {
    const code = `${WATCH}\nprint("own", len(own) > 1, len(names) > 50)\nprint("ready", flush=True)\nimport select\nwhile not select.select([0], [], [], 0.02)[0]:\n    seen = events()\n    if seen: print(seen, flush=True)`;
    const end = await underWay(code);
    workOnHost();
    for (const [language, work] of [
      ["bash", "/usr/bin/env true; ls / /etc /usr/bin > /dev/null; cat /usr/bin/env /etc/passwd > /dev/null"],
      [
        "node",
        "require('fs').readFileSync('/etc/passwd'); require('child_process').spawnSync('/usr/bin/env', ['true'])",
      ],
    ] as const) {
      expect(await it.attack(work, { language })).toMatchObject({ ok: true });
    }
    expect(await end()).toBe("own True True\nready\n");
  });

  test("locks of a run are free for the host and for other runs", async () => {
    const take = `${LOCK}\nimport json\n`;
    const end = await underWay(
      `${take}print(json.dumps([take(reachable()), len(held) > 50]))\nprint("ready", flush=True)\nimport sys; sys.stdin.read()`,
      { limits },
    );
    const other = await it.attack(`${take}result = [take(reachable()), len(held) > 50]`, { limits });
    expect(other).toMatchObject({ ok: true, result: [[], true] });
    const files = ["/usr/bin/env", "/usr/bin/sh", "/usr/bin/python3", "/etc/passwd", process.execPath, "/usr/lib", "/"];
    expect(lockOnHost([...files, ...(isRoot ? ["/dev/null", "/dev/zero", "/dev/urandom"] : [])])).toEqual([]);
    expect(await end()).toBe("[[], true]\nready\n");
  });

  test("of a session as well, and of a Node program and a command", async () => {
    const session = await it.dock.sessions.open({ policy: { limits } });
    try {
      expect(await session.exec(`${LOCK}\n${WATCH}\nresult = take(reachable())`)).toMatchObject({
        ok: true,
        result: [],
      });
      workOnHost();
      const command = `flock -n /usr/bin/env true && flock -n /usr/bin true && flock -n /etc/passwd true`;
      expect(await it.attack(command, { language: "bash" })).toMatchObject({ ok: true });
      expect(lockOnHost(["/usr/bin/env", "/usr/bin", "/etc/passwd"])).toEqual([]);
      const watch = `const {watch} = require('fs'); for (const p of ['/usr/bin', '/etc', '/']) watch(p, (e, name) => console.log(p, e, name)); console.log('ready'); process.stdin.resume().on('end', () => process.exit(0))`;
      const end = await underWay(watch, { language: "node" });
      workOnHost();
      expect(
        await session.exec("import subprocess; subprocess.run(['/usr/bin/env', 'true']); result = 1"),
      ).toMatchObject({ ok: true });
      expect(await end()).toBe("ready\n");
    } finally {
      await session.close();
    }
  });

  test("watches of files in the workspace work, in Python and in Node", async () => {
    const workspace = it.makeWorkspace({ "src/a.txt": "a" });
    const python = await it.attack(
      `${WATCH}\nnames[libc.inotify_add_watch(notes, b"src", 0xfff)] = "src"\nopen("src/a.txt", "w").write("b"); open("src/new.txt", "w").close()\nresult = [each for each in events() if each.startswith("src")]`,
      { workspace },
    );
    expect(python).toMatchObject({ ok: true, result: expect.arrayContaining(["src a.txt", "src new.txt"]) });
    const node = await it.attack(
      `const fs = require('fs'); const w = fs.watch('src', (e, name) => { if (name === 'new.txt') { console.log(name); w.close(); } }); fs.writeFileSync('src/new.txt', '')`,
      { workspace, language: "node" },
    );
    expect(node).toMatchObject({ ok: true, stdout: "new.txt\n" });
  });
});

describe("the file that the interpreter executes", () => {
  test("is not changed through /proc/self/exe where it is the caller's own, by a single run either", async () => {
    const directory = mkdtempSync("/tmp/drydock-interpreter-");
    chmodSync(directory, 0o755);
    mkdirSync(join(directory, "bin"));
    const python = join(directory, "bin", "python3.11");
    copyFileSync("/usr/bin/python3", python);
    chmodSync(python, 0o755);
    const main = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));
    const attack = `
import os
for change in (lambda p: os.chmod(p, 0o777), lambda p: os.utime(p, (1, 1)), lambda p: os.setxattr(p, "user.evil", b"1"), lambda p: os.truncate(p, 0)):
    try: change("/proc/self/exe"); print("changed")
    except OSError: pass
print("tried")
`;
    const before = statSync(python);
    try {
      const run = spawnSync(process.execPath, ["--conditions=drydock-source", main, "exec", "--unsafe", "-c", attack], {
        env: { ...process.env, DRYDOCK_HOME: join(directory, "home"), DRYDOCK_PYTHON: python },
        encoding: "utf8",
      });
      expect(run.stdout).toBe("tried\n");
      expect([statSync(python).mode, statSync(python).mtimeMs]).toEqual([before.mode, before.mtimeMs]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
