import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();

/** The path of a pseudo-terminal of the host, which is there until the test is over. */
async function holdTerminal(): Promise<string> {
  const code = "import os, pty, sys; held = pty.openpty(); print(os.ttyname(held[1]), flush=True); sys.stdin.read()";
  const holder = spawn("python3", ["-c", code], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void holder.stdin.end());
  const [path] = await once(holder.stdout, "data");
  return String(path).trim();
}

describe("pseudo-terminals", () => {
  test("are the run's own: those of the host and of other runs are not there", async () => {
    const stop = new AbortController();
    let received = () => {};
    const ready = new Promise<void>((resolve) => {
      received = resolve;
    });
    let others = "";
    const open = "import os, pty, time; held = pty.openpty(); print(os.stat(os.ttyname(held[1])).st_dev, flush=True)";
    const other = it.attack(`${open}; time.sleep(9)`, {
      signal: stop.signal,
      onOutput: ({ text }) => {
        others += text;
        received();
      },
    });
    await Promise.race([ready, other]);
    const hosts = await holdTerminal();
    const result = await it.attack(`
import os, pty
before = sorted(os.listdir("/dev/pts"))
master, slave = pty.openpty()
try: own = os.open("/dev/tty", os.O_RDWR)
except OSError: own = None
result = [before, os.ttyname(slave), own, os.stat(os.ttyname(slave)).st_dev]
`);
    stop.abort();
    await other;
    expect(result).toMatchObject({ ok: true, result: [["ptmx"], "/dev/pts/0", null, expect.any(Number)] });
    // Each file system of terminals is a device of its own.
    const devices = [statSync(hosts).dev, Number(others), (result.result as unknown[])[3]];
    expect(new Set(devices).size).toBe(3);
  });

  test("are few, take no typed input from programs, and stay plain ones", async () => {
    const result = await it.attack(`
import fcntl, os, pty, struct
held, refused = [], []
try:
    while len(held) < 100: held.append(pty.openpty())
except OSError: pass
master, slave = held[0]
for name, request, data in (("TIOCSTI", 0x5412, b"x"), ("TIOCSTI, high bits", 0x5412 | 1 << 32, b"x"), ("TIOCSETD", 0x5423, struct.pack("i", 13)), ("TIOCCONS", 0x541D, b"")):
    try: fcntl.ioctl(slave, request & 0xffffffff, data)
    except OSError as error: refused.append(name)
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for discipline in range(32):
    if libc.syscall(${process.arch === "x64" ? 16 : 29}, ctypes.c_long(slave), ctypes.c_ulong(0x5423 | 1 << 32), struct.pack("i", discipline)) == 0: refused.append("set %d" % discipline)
result = [len(held), refused]
`);
    expect(result).toMatchObject({
      ok: true,
      result: [16, ["TIOCSTI", "TIOCSTI, high bits", "TIOCSETD", "TIOCCONS"]],
    });
  });

  test("and the devices beside them show nothing of what an earlier run did to them, and change nothing of the host's", async () => {
    const host = statSync("/dev/null").mtimeMs;
    const spoil = `
import os
for name in ("/dev/pts/ptmx", "/dev/pts", "/dev/null", "/dev/urandom"):
    for change in (lambda: os.utime(name), lambda: os.utime(name, (1234, 5678)), lambda: os.chmod(name, 0)):
        try: change()
        except OSError: pass
`;
    const look = `
import os, pty
pty.openpty()
result = [os.stat(name).st_mtime < 10000 or os.stat(name).st_mode & 0o777 == 0 for name in ("/dev/pts/ptmx", "/dev/pts", "/dev/null", "/dev/urandom")]
`;
    // More runs than the pool has slots: some of them get one that was used before.
    for (let run = 0; run < 12; run++) expect(await it.attack(spoil)).toMatchObject({ ok: true });
    for (let run = 0; run < 12; run++) {
      expect(await it.attack(look)).toMatchObject({ ok: true, result: [false, false, false, false] });
    }
    expect(statSync("/dev/null").mtimeMs).toBe(host);
  });
});
