import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";
import { expectLittleTaken } from "./taken-memory.ts";

const it = openAttackDock();
const MB = 1 << 20;

/** After each attack the dock must still serve, and the machine must not have been eaten. */
async function survives(): Promise<void> {
  expect(await it.attack("print(6 * 7)")).toMatchObject({ ok: true, stdout: "42\n" });
}

describe("using up the machine", () => {
  test("a fork bomb in Python", async () => {
    const result = await it.attack(
      `
import os, time
made = 0
while True:
    try:
        if os.fork() == 0: time.sleep(30)
        made += 1
    except OSError: break
print(made, flush=True)
while True:
    try: os.fork()
    except OSError: pass
`,
      { limits: { wallSeconds: 2, processes: 24 } },
    );
    expect(result.ok).toBe(false);
    expect(Number(result.stdout.split("\n")[0])).toBeLessThanOrEqual(24);
    await survives();
  });

  test("a fork bomb in bash", async () => {
    const result = await it.attack("bomb() { bomb | bomb & }; bomb; sleep 20", {
      language: "bash",
      limits: { wallSeconds: 2, processes: 24 },
    });
    expect(result.ok).toBe(false);
    await survives();
  });

  test("threads without end, in Python and in Node", async () => {
    const python = await it.attack(
      `
import threading, time
made = 0
try:
    while True: threading.Thread(target=time.sleep, args=(20,), daemon=True).start(); made += 1
except RuntimeError: pass
print(made)
`,
      { limits: { wallSeconds: 3, processes: 24 } },
    );
    expect(Number(python.stdout)).toBeLessThanOrEqual(24);
    const node = await it.attack(
      `const { Worker } = require("worker_threads");
       for (let i = 0; i < 200; i++) new Worker("setInterval(() => {}, 1000)", { eval: true }).on("error", () => {});`,
      { language: "node", limits: { wallSeconds: 2 } },
    );
    expect(node.ok).toBe(false);
    await survives();
  });

  test("memory, by one process", async () => {
    await expectLittleTaken("one process", async () => {
      const result = await it.attack(`blocks = []\nwhile True: blocks.append(bytearray(8 << 20))`, {
        limits: { memoryMb: 128 },
      });
      expect(result).toMatchObject({ ok: false, error: { code: "limit.memory" } });
    });
    await survives();
  });

  test("memory, by many processes that are small each", async () => {
    const result = await it.attack(
      `
import os, time
for _ in range(16):
    if os.fork() == 0: break
data = bytearray(b"x" * (24 << 20))
time.sleep(8)
`,
      { limits: { memoryMb: 128 } },
    );
    expect(result.ok).toBe(false);
    expect(result.error?.code).toBe("limit.memory");
    await survives();
  });

  test("memory that is shared, unnamed, detached or hidden in page tables", async () => {
    const ways = {
      "shared anonymous": `import mmap; m = [mmap.mmap(-1, 64 << 20) for _ in range(32)]
for x in m:
    for at in range(0, len(x), 4096): x[at] = 1`,
      memfd: `import os
d = [os.memfd_create("x") for _ in range(32)]
for x in d:
    for _ in range(64): os.write(x, bytes(1 << 20))`,
      "segments that nobody has attached": `import ctypes
libc = ctypes.CDLL(None, use_errno=True); libc.shmat.restype = ctypes.c_void_p; libc.shmdt.argtypes = [ctypes.c_void_p]
for _ in range(64):
    n = libc.shmget(0, 64 << 20, 0o1600)
    if n < 0: raise SystemExit(1)
    at = libc.shmat(n, None, 0); ctypes.memset(at, 1, 64 << 20); libc.shmdt(at)`,
      "page tables": `import ctypes, mmap
libc = ctypes.CDLL(None, use_errno=True); libc.mmap.restype = ctypes.c_void_p; libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
at = libc.mmap(None, 4 << 40, 3, 0x4022, -1, 0); libc.madvise(at, 4 << 40, 15)
for place in range(at, at + (4 << 40), 2 << 20): ctypes.c_ubyte.from_address(place).value`,
    };
    for (const [name, code] of Object.entries(ways)) {
      await expectLittleTaken(name, async () => {
        const result = await it.attack(`${code}\nprint("got it all")`, { limits: { memoryMb: 96, wallSeconds: 30 } });
        expect.soft(result.stdout, name).toBe("");
        expect.soft(result.ok, name).toBe(false);
        expect.soft(result.error?.code, name).not.toBe("limit.timeout");
        expect.soft(result.usage.wallMs, name).toBeLessThan(25_000);
      });
    }
    await survives();
  });

  test("memory that the kernel keeps in the buffers of sockets", async () => {
    for (const [name, pair] of [
      ["unix", "socket.socketpair()"],
      ["tcp", "connect()"],
    ]) {
      const attack = () =>
        it.attack(
          `
import os, socket, time
for _ in range(15):
    if os.fork() == 0: break
server = socket.create_server(("127.0.0.1", 0), backlog=4096)
def connect():
    client = socket.create_connection(server.getsockname()); return client, server.accept()[0]
kept = []
try:
    while True:
        kept.append(${pair})
        for end in kept[-1]:
            end.setblocking(False)
            try:
                while True: end.send(bytes(1 << 16))
            except BlockingIOError: pass
except OSError: pass
time.sleep(3)
print("held")
`,
          { limits: { memoryMb: 96, diskMb: 16, openFiles: 200, wallSeconds: 30 } },
        );
      await expectLittleTaken(String(name), async () => {
        const result = await attack();
        expect.soft(result.stdout, name).toBe("");
        expect.soft(result.error?.code, name).toBe("limit.memory");
      });
    }
    await survives();
  });

  test("disk, in the work directory, /tmp, /var/tmp and /dev/shm", async () => {
    for (const place of ["/work", "/tmp", "/var/tmp", "/dev/shm"]) {
      const result = await it.attack(
        `
written = 0
try:
    for number in range(1000):
        with open("${place}/%d" % number, "wb", 0) as file:
            for _ in range(8): written += file.write(bytes(1 << 20))
finally: print(written >> 20)
`,
        { limits: { diskMb: 16 } },
      );
      expect(result).toMatchObject({ ok: false, error: { code: "limit.disk" } });
      expect(Number(result.stdout)).toBeLessThanOrEqual(16);
    }
    await survives();
  });

  test("a sparse file of a terabyte, and many of some megabytes", async () => {
    const one = await it.attack(`
won = []
for size in (1 << 40, 1 << 34, 33 << 20):
    try: open("big", "wb").truncate(size); won.append(size)
    except OSError: pass
result = won
`);
    expect(one.result ?? []).toEqual([]);
    const many = await it.attack(`
for number in range(64): open("sparse%d" % number, "wb").truncate(31 << 20)
`);
    expect(many).toMatchObject({ ok: false, error: { code: "limit.disk" } });
    await survives();
  });

  test("inodes", async () => {
    const result = await it.attack(
      `
import os
made = 0
try:
    os.mkdir("/tmp/d")
    while True: os.mknod("/tmp/d/%d" % made); made += 1
finally: print(made)
`,
      { limits: { wallSeconds: 20 } },
    );
    expect(result.ok).toBe(false);
    expect(Number(result.stdout)).toBeLessThan(70_000);
    await survives();
  });

  test("output, a gigabyte of it, on stdout and on stderr", async () => {
    for (const stream of [1, 2]) {
      const result = await it.attack(`
import os
block = b"x" * (1 << 20)
for _ in range(1024):
    rest = block
    while rest: rest = rest[os.write(${stream}, rest):]
`);
      expect(result).toMatchObject({ ok: false, error: { code: "limit.output" } });
      expect(result.stdout.length + result.stderr.length).toBeLessThanOrEqual(MB);
    }
    const yes = await it.attack("yes & yes >&2 & wait", { language: "bash" });
    expect(yes).toMatchObject({ ok: false, error: { code: "limit.output" } });
    await survives();
  });

  test("descriptors", async () => {
    const result = await it.attack(
      `
import os
made = 0
try:
    while True: os.dup(0); made += 1
except OSError: print(made)
import resource
try: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)); print("raised")
except (OSError, ValueError): pass
`,
      { limits: { openFiles: 64 } },
    );
    expect(Number(result.stdout.split("\n")[0])).toBeLessThan(64);
    expect(result.stdout).not.toContain("raised");
    await survives();
  });

  test("processor time, spread over many processes", async () => {
    const result = await it.attack(
      `
import os
for _ in range(3): os.fork()
while True: pass
`,
      { limits: { cpuSeconds: 1, wallSeconds: 60 } },
    );
    expect(result).toMatchObject({ ok: false, error: { code: "limit.cpu" } });
    expect(result.usage.wallMs).toBeLessThan(45_000);
  });

  test("processor time, by children that end before anybody looks", async () => {
    const result = await it.attack(
      `
import os, time
while True:
    if os.fork() == 0:
        end = time.process_time() + 0.01
        while time.process_time() < end: pass
        os._exit(0)
    os.wait()
`,
      { limits: { cpuSeconds: 1, wallSeconds: 60 } },
    );
    expect(result).toMatchObject({ ok: false, error: { code: "limit.cpu" } });
  });

  test("arguments and environments of megabytes", async () => {
    const result = await it.attack(`
import os, subprocess
for size in (1 << 17, 1 << 21, 1 << 24):
    for arguments, environment in ((["true"] + ["x" * 1000] * (size // 1000), None), (["true"], {"A%d" % i: "x" * 1000 for i in range(size // 1000)})):
        try: subprocess.run(arguments, env=environment)
        except OSError: pass
print("done")
`);
    expect(result).toMatchObject({ ok: true, stdout: "done\n" });
    await survives();
  });
});
