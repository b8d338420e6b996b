import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();

describe("reaching another run that is under way", () => {
  test("its files, its shared memory, its queues, its sockets and its processes", async () => {
    const secret = `secret-${randomBytes(12).toString("hex")}`;
    let started = () => {};
    const ready = new Promise<void>((resolve) => {
      started = resolve;
    });
    const stop = new AbortController();
    const victim = it.attack(
      `
import ctypes, os, socket, sys, time
secret = sys.argv[1]
os.umask(0)
for directory in ("/work", "/tmp", "/var/tmp", "/dev/shm"):
    open(directory + "/shared-" + secret, "w").write(secret)
    open(directory + "/shared", "w").write(secret)
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(4711, 4096, 0o1666)
ctypes.memmove(libc.shmat(segment, None, 0), secret.encode(), len(secret))
queue = libc.msgget(4712, 0o1666)
libc.msgsnd(queue, (1).to_bytes(8, "little") + secret.encode(), len(secret), 0)
mq = libc.syscall(240, b"shared", 0o100 | 2, 0o666, None)
libc.syscall(242, mq, secret.encode(), len(secret), 0, None)
servers = []
for family, address in ((socket.AF_UNIX, "\\0shared"), (socket.AF_UNIX, "/tmp/shared.sock"), (socket.AF_INET, ("127.0.0.1", 4713))):
    server = socket.socket(family); server.bind(address); server.listen(); servers.append(server)
print("ready", flush=True)
time.sleep(8)
`,
      {
        args: [secret],
        signal: stop.signal,
        onOutput: ({ text }) => {
          if (text.includes("ready")) started();
        },
      },
    );
    await Promise.race([ready, victim]);
    const thief = await it.attack(`
import ctypes, glob, os, socket
won = []
for directory in ("/work", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"):
    if os.path.isdir(directory): won += [open(os.path.join(directory, name)).read() for name in os.listdir(directory)]
libc = ctypes.CDLL(None, use_errno=True)
for size in (0, 4096):
    if libc.shmget(4711, size, 0) >= 0: won.append("segment")
for number in range(16):
    if libc.shmctl(number, 2, ctypes.create_string_buffer(256)) >= 0: won.append("segment %d" % number)
if libc.msgget(4712, 0) >= 0: won.append("queue")
if libc.syscall(240, b"shared", 0, 0, None) >= 0: won.append("posix queue")
won += open("/proc/sysvipc/shm").read().splitlines()[1:] + open("/proc/sysvipc/msg").read().splitlines()[1:]
for family, address in ((socket.AF_UNIX, "\\0shared"), (socket.AF_UNIX, "/tmp/shared.sock"), (socket.AF_INET, ("127.0.0.1", 4713))):
    try: socket.socket(family).connect(address); won.append(str(address))
    except OSError: pass
won += [line for line in open("/proc/net/unix").read().splitlines()[1:] if len(line.split()) > 7]
own = os.getpid()
won += [path for path in glob.glob("/proc/[0-9]*") if path not in ("/proc/1", "/proc/%d" % own)]
result = won
`);
    stop.abort();
    expect((await victim).stdout).toContain("ready");
    expect(saidBy(thief)).not.toContain(secret);
    expect(thief).toMatchObject({ ok: true, result: [] });
  });
});

describe("poisoning the run that comes next", () => {
  /** What a clean interpreter answers; the same question after an attack must have the same answer. */
  const question = `
import builtins, json, os, resource, site, sys
result = {
    "len": len([1, 2]), "print": repr(print), "modules": sorted(m for m in sys.modules if "evil" in m), "path": sys.path,
    "hooks": [repr(sys.excepthook), len(sys.meta_path), len(sys.path_hooks), repr(sys.displayhook), repr(sys.gettrace())],
    "open": repr(open), "json": repr(json.dumps), "files": sorted(os.listdir("/work") + os.listdir("/tmp") + os.listdir("/dev/shm")),
    "limits": [resource.getrlimit(n) for n in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)],
    "env": dict(os.environ), "umask": oct(os.umask(0o22)), "pids": sorted(p for p in os.listdir("/proc") if p.isdigit() and int(p) > 2),
}
`;

  test("through the interpreter: builtins, modules, hooks, import paths, limits and the umask", async () => {
    const before = await it.attack(question);
    const attacks = [
      `import builtins; builtins.len = lambda x: 666; builtins.print = None; builtins.open = None`,
      `import sys, types; sys.modules["evil"] = types.ModuleType("evil"); sys.modules["json"] = types.ModuleType("json"); sys.path.insert(0, "/tmp/evil")`,
      `import sys; sys.meta_path.clear(); sys.path_hooks.clear(); sys.excepthook = sys.displayhook = None; sys.settrace(lambda *a: None)`,
      `import json, ctypes; json.dumps = lambda *a: "evil"; ctypes.pythonapi.PyList_SetItem`,
      `import os, resource; os.environ["EVIL"] = "1"; os.umask(0o777); resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3)); os.chdir("/")`,
      `import gc, types\nfor thing in gc.get_objects():\n  if isinstance(thing, dict) and "WARM_UP" in thing: thing.clear()`,
    ];
    for (const code of attacks) {
      await it.attack(code);
      expect((await it.attack(question)).result).toEqual(before.result);
    }
    expect(before.ok).toBe(true);
  });

  test("through files that interpreters and linkers load by themselves", async () => {
    const attack = await it.attack(`
import glob, os, site, sys
evil = "import os; print('EV' + 'IL')\\n"
written = []
places = ["/etc/ld.so.preload", "/usr/lib/python3/dist-packages/sitecustomize.py", "/usr/lib/python3/dist-packages/evil.pth", "/usr/bin/python3", "/drydock/lib/worker.cjs",
          "/drydock/bin/node", "/etc/python3.11/sitecustomize.py", "/etc/profile", "/root/.bashrc", "/home/evil", "/etc/hosts", "/etc/resolv.conf", "/evil", "/run/evil", "/etc/bash.bashrc"]
places += [os.path.join(p, "evil.py") for p in sys.path if p.startswith("/")]
places += [os.path.join(os.path.dirname(os.__file__), "__pycache__", name) for name in ("os.cpython-311.pyc", "json.cpython-311.pyc")]
for path in places:
    try:
        with open(path, "w") as file: file.write(evil)
        written.append(path)
    except OSError: pass
for path in ("/work/sitecustomize.py", "/work/usercustomize.py", "/work/json.py", "/work/evil.pth", "/work/.bashrc", "/work/.pythonrc", "/work/.npmrc", "/tmp/matplotlibrc", "/tmp/sitecustomize.py", "/dev/shm/evil"):
    with open(path, "w") as file: file.write(evil)
os.makedirs("/work/.local/lib/python3.11/site-packages"); open("/work/.local/lib/python3.11/site-packages/usercustomize.py", "w").write(evil)
os.environ.update(LD_PRELOAD="/tmp/evil.so", PYTHONSTARTUP="/work/.pythonrc", NODE_OPTIONS="--require /work/json.py")
result = written
`);
    expect(attack).toMatchObject({ ok: true, result: [] });
    for (const [language, code] of [
      [
        "python",
        "import json, subprocess, sys; subprocess.run([sys.executable, '-c', 'import json; print(1)']); print(json.__file__)",
      ],
      ["node", "console.log(1, process.env.NODE_OPTIONS)"],
      ["bash", "echo 1 $LD_PRELOAD; ls -A /work /tmp /dev/shm"],
    ] as const) {
      const next = await it.attack(code, { language });
      expect(next.ok).toBe(true);
      expect(saidBy(next)).not.toMatch(/EVIL|evil/);
    }
  });

  test("through the fork server: its socket, its standard input, its broker, its memory", async () => {
    const result = await it.attack(`
import glob, os, socket
won = []
for path in glob.glob("/tmp/**", recursive=True) + glob.glob("/proc/[0-9]*/fd/*") + ["\\0python.sock", "\\0drydock"]:
    try: socket.socket(socket.AF_UNIX).connect(path); won.append(path)
    except OSError: pass
for number in range(64):
    if number in (0, 1, 2, 3): continue
    try: os.write(number, b"p"); won.append(number)
    except OSError: pass
# The channel is all that leads out: a descriptor sent over it must not come back as another, nor be taken for a request.
channel = socket.socket(fileno=os.dup(3))
socket.send_fds(channel, [b"\\0\\0\\0\\2R{}" + b"\\0\\0\\0\\0K"], [os.open("/work", os.O_RDONLY)])
try: os.write(0, b"p"); won.append("stdin")
except OSError: pass
result = won
`);
    expect(result.result ?? []).toEqual([]);
    expect(await it.attack("print(1)")).toMatchObject({ ok: true, stdout: "1\n" });
  });

  test("random numbers of one run do not tell those of the next", async () => {
    const code =
      "import random, uuid, os, tempfile; result = [random.random(), str(uuid.uuid4()), os.urandom(8).hex(), tempfile.mktemp()]";
    const values = (await Promise.all([1, 2, 3].map(() => it.attack(code)))).flatMap((run) => run.result as unknown[]);
    expect(new Set(values).size).toBe(values.length);
  });
});
