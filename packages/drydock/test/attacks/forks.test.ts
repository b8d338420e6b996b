import { randomBytes } from "node:crypto";
import type { Session } from "drydock";
import { describe, expect, test } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();
const limits = { wallSeconds: 5, memoryMb: 256, diskMb: 32, processes: 24 };

/** What every fork is asked afterwards: it must know what it knew, and take steps. */
const ASK = "result = [x, open('/work/a').read(), open('/tmp/t').read()]";
const UNTOUCHED = ["mine", "work", "temporary"];

async function openForks(setUp = "", count = 2): Promise<{ session: Session; forks: Session[] }> {
  const session = await it.dock.sessions.open({ policy: { limits } });
  const files = "open('/work/a', 'w').write('work'); open('/tmp/t', 'w').write('temporary')";
  const first = await session.exec(`import os, sys, time, ctypes, mmap, signal\nx = "mine"\n${files}\n${setUp}`, {
    unsafe: true,
  });
  expect(first.error).toBeNull();
  return { session, forks: await session.fork(count) };
}

/** Runs an attack in the first of two forks: the session and the other fork must not notice. */
async function attackFromFork(attack: string, setUp = ""): Promise<unknown> {
  const { session, forks } = await openForks(setUp);
  const [attacker, sibling] = forks as [Session, Session];
  const done = await attacker.exec(attack, { unsafe: true });
  for (const victim of [sibling, session]) {
    const after = await victim.exec(ASK, { unsafe: true });
    expect(after.error, `after ${done.error?.code ?? "success"}`).toBeNull();
    expect(after.result).toEqual(UNTOUCHED);
  }
  for (const each of [attacker, sibling, session]) await each.close();
  return done.error?.code ?? done.result;
}

describe("a fork against its session and the other forks", () => {
  test.each([
    ["every process of its group", "os.kill(0, 9)"],
    ["every process that it may signal", "os.kill(-1, 9); time.sleep(5)"],
    ["its session's group, by the numbers that it knew", "os.killpg(os.getpgrp() or 2, 9)"],
    ["every number", "import itertools\nfor pid in range(2, 400):\n    try: os.kill(pid, 9)\n    except OSError: pass"],
    [
      "those who wait for input",
      "for pid in range(2, 400):\n    try: os.kill(pid, signal.SIGIO)\n    except OSError: pass\nos.kill(os.getpid(), 9)",
    ],
  ])("signals: %s", async (_name, attack) => {
    await attackFromFork(attack);
  });

  test("a fork sees its own processes only, and none of it holds the secret of another", async () => {
    const { session, forks } = await openForks();
    const [thief, victim] = forks as [Session, Session];
    const secret = `secret-${randomBytes(8).toString("hex")}`;
    await victim.exec(`y = "${secret}"\nopen('/tmp/own', 'w').write(y)\nopen('/dev/shm/own', 'w').write(y)`);
    await session.exec(`z = "${secret}"`);
    const found = await thief.exec(
      `
import glob
def search(needle):
    found = []
    for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
        try:
            regions = [line.split() for line in open("/proc/%s/maps" % pid)]
            memory = open("/proc/%s/mem" % pid, "rb")
        except OSError: continue
        for region in regions:
            start, end = (int(each, 16) for each in region[0].split("-"))
            if "r" not in region[1] or end - start > 1 << 28: continue
            try:
                memory.seek(start)
                if needle in memory.read(end - start): found.append(pid)
            except (OSError, ValueError, OverflowError): pass
    return found
processes = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
files = [path for place in ("/tmp", "/dev/shm", "/work", "/home/dock") for path in glob.glob(place + "/*")]
# The secret is put together here, so that this process does not hold it.
result = [len(processes) < 8, search(bytes(${JSON.stringify([...Buffer.from(secret)].map((byte) => byte ^ 1))}).translate(bytes(each ^ 1 for each in range(256)))[:-1]), sorted(files)]
`,
      { unsafe: true },
    );
    expect(found.error).toBeNull();
    const [few, holders, files] = found.result as [boolean, string[], string[]];
    expect(few).toBe(true);
    expect(files).toEqual(["/tmp/t", "/work/a"]);
    // The search finds the needle in its own memory, where it was put together, and nowhere else.
    expect(new Set(holders).size).toBeLessThanOrEqual(1);
    for (const each of [...forks, session]) await each.close();
  });

  test("memory that the session had shared is the fork's own", async () => {
    const setUp = `
shared = mmap.mmap(-1, 4096); shared[:4] = b"mine"
file = open("/work/m", "w+b"); file.truncate(4096); mapped = mmap.mmap(file.fileno(), 4096); mapped[:4] = b"mine"
readonly = mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ)
`;
    const { session, forks } = await openForks(setUp);
    const [attacker, sibling] = forks as [Session, Session];
    const write = `
before = [bytes(each[:4]) for each in (shared, mapped, readonly)]
shared[:4] = mapped[:4] = b"evil"
libc = ctypes.CDLL(None)
address = ctypes.addressof(ctypes.c_char.from_buffer(shared))
result = [each.decode() for each in before]
`;
    expect((await attacker.exec(write, { unsafe: true })).result).toEqual(["mine", "mine", "mine"]);
    const look =
      "result = [bytes(shared[:4]).decode(), bytes(mapped[:4]).decode(), bytes(readonly[:4]).decode(), open('/work/m', 'rb').read(4).decode()]";
    for (const victim of [sibling, session]) {
      expect((await victim.exec(look, { unsafe: true })).result).toEqual(["mine", "mine", "mine", "mine"]);
    }
    for (const each of [...forks, session]) await each.close();
  });

  test("descriptors that the session had open lead nowhere", async () => {
    const setUp = `
import socket
listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen(); port = listener.getsockname()[1]
hidden = socket.socket(socket.AF_UNIX); hidden.bind("\\0hidden"); hidden.listen()
left, right = socket.socketpair(); r, w = os.pipe()
log = open("/work/log", "w"); log.write("session"); log.flush()
gone = open("/work/gone", "w+"); os.remove("/work/gone")
`;
    const attack = `
won = []
def attempt(name, action):
    try: action(); won.append(name)
    except OSError: pass
attempt("pipe", lambda: os.write(w, b"evil"))
attempt("pair", lambda: left.send(b"evil"))
attempt("accept", lambda: (listener.settimeout(0.2), listener.accept()))
attempt("deleted file", lambda: os.write(gone.fileno(), b"evil"))
attempt("loopback", lambda: socket.create_connection(("127.0.0.1", port), 0.2))
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0hidden"))
log.write(" and fork"); log.flush()
result = [won, open("/work/log").read()]
`;
    const { session, forks } = await openForks(setUp);
    expect((await forks[0]?.exec(attack, { unsafe: true }))?.result).toEqual([[], "session and fork"]);
    const look =
      "os.set_blocking(r, False)\ntry: got = os.read(r, 9)\nexcept BlockingIOError: got = None\nresult = [got, open('/work/log').read()]";
    expect((await session.exec(look, { unsafe: true })).result).toEqual([null, "session"]);
    for (const each of [...forks, session]) await each.close();
  });

  test("System V memory, queues and POSIX locks of the session are not there", async () => {
    const setUp = "libc = ctypes.CDLL(None, use_errno=True); segment = libc.shmget(77, 4096, 0o1666)";
    const attack = "result = libc.shmget(77, 4096, 0o666)";
    expect(await attackFromFork(attack, setUp)).toBe(-1);
  });

  test.each([
    ["processes", "while True:\n    try: os.fork()\n    except OSError: time.sleep(0.01)"],
    ["memory", "held = [bytearray(1 << 24) for _ in range(64)]"],
    ["disk", "with open('/work/big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))"],
    ["descriptors, all closed", "os.closerange(0, 256)"],
    ["time", "while True: pass"],
    ["output", "while True: sys.stdout.write('x' * 65536)"],
  ])("a fork that uses up its %s", async (_name, attack) => {
    await attackFromFork(attack);
  });

  test("a fork that lies in its report lies about itself only", async () => {
    const lie = `
def frame(kind, payload): os.write(3, len(payload).to_bytes(4, "big") + kind + payload)
for _ in range(3): frame(b"r", b"2"); frame(b"j", b'{"outcome": "ok", "result": "1", "alive": true}')
os._exit(3)
`;
    expect(await attackFromFork(lie)).not.toBe("1");
  });

  test("a fork that ends everything of itself is over, and nothing of it is left", async () => {
    const marker = `marker-${randomBytes(8).toString("hex")}`;
    const { session, forks } = await openForks();
    const [attacker, sibling] = forks as [Session, Session];
    await attacker.exec(
      `import subprocess\np = subprocess.Popen(["sleep", "600"], env={"M": "${marker}"})\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(600)\n    os._exit(0)`,
      { unsafe: true },
    );
    await attacker.close();
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
    expect((await sibling.exec(ASK)).result).toEqual(UNTOUCHED);
    for (const each of [sibling, session]) await each.close();
  });
});

describe("a session against its forks", () => {
  test("a later step can neither signal them nor look into them", async () => {
    const { session, forks } = await openForks();
    const attack = `
won = []
for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
    if pid in (1, os.getpid(), os.getppid()): continue
    for what, action in (("signal", lambda: os.kill(pid, 9)), ("memory", lambda: open("/proc/%d/mem" % pid, "rb")), ("directory", lambda: os.listdir("/proc/%d/root/work" % pid))):
        try: action(); won.append((what, pid))
        except OSError: pass
result = won
`;
    const done = await session.exec(attack, { unsafe: true });
    expect(done.error).toBeNull();
    expect(done.result).toEqual([]);
    const again = await session.fork(1);
    expect((await session.exec(attack, { unsafe: true })).result).toEqual([]);
    expect(await session.rollback(1)).toMatchObject({ step: 1 });
    expect((await session.exec(attack, { unsafe: true })).result).toEqual([]);
    for (const fork of [...forks, ...again]) {
      expect((await fork.exec(ASK, { unsafe: true })).result).toEqual(UNTOUCHED);
      await fork.close();
    }
    await session.close();
  });

  test("what it has hooked into forks runs without any right, and in the fork's own place", async () => {
    const setUp = `
seen = []
def look():
    status = dict(line.split(":\\t") for line in open("/proc/self/status") if ":\\t" in line)
    won = [name for name, call in (("mount", (165, b"x", b"/tmp", b"tmpfs", 0, 0)), ("unshare", (272, 0x10000000)), ("setns", (308, 3, 0)), ("chroot", (161, b"/")), ("ptrace", (101, 16, 1, 0, 0))) if ctypes.CDLL(None).syscall(*call) == 0]
    seen.append([status["CapPrm"].strip(), status["CapEff"].strip(), status["NoNewPrivs"].strip(), status["Seccomp"].strip(), won, os.getuid()])
os.register_at_fork(after_in_child=look)
`;
    const { session, forks } = await openForks(setUp, 1);
    const none = "0".repeat(16);
    const seen = (await forks[0]?.exec("result = seen", { unsafe: true }))?.result as unknown[];
    expect(seen.length).toBeGreaterThan(0);
    for (const each of seen) expect(each).toEqual([none, none, "1", "2", [], 1000]);
    for (const each of [...forks, session]) await each.close();
  });

  test("a session that does not come to its fork point is refused, and is as it was", async () => {
    const session = await it.dock.sessions.open({ policy: { limits } });
    await session.exec("import os, time\nx = 1\nos.register_at_fork(before=lambda: time.sleep(0 if x else 600))");
    await session.exec("x = 0\nresult = 1", { unsafe: true });
    await expect(session.fork(2)).rejects.toMatchObject({ code: "session.fork_refused", data: { why: "copy" } });
    await session.close();
  }, 60_000);

  test("the fork point is no way out for who has no warden behind it", async () => {
    const session = await it.dock.sessions.open({ policy: { limits } });
    const step =
      "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nresult = [[libc.syscall(308, fd, 0), ctypes.get_errno()] for fd in (-1, 3)]";
    expect((await session.exec(step, { unsafe: true })).result).toEqual([
      [-1, 38],
      [-1, 38],
    ]);
    const [fork] = await session.fork();
    expect((await fork?.exec(step, { unsafe: true }))?.result).toEqual([
      [-1, 38],
      [-1, 38],
    ]);
    await fork?.close();
    await session.close();
  });
});
