import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();
/** What may not even be raised to one byte. */
const hasNoCores = /Max core file size\s+\S+\s+0\s/.test(readFileSync("/proc/self/limits", "utf8"));

describe("what tells of the host", () => {
  test("the words that the fork server was started with: home and installation", async () => {
    const result = await it.attack(`
import glob, sys
result = [open(path).read() for path in glob.glob("/proc/[0-9]*/cmdline")] + [" ".join(sys.orig_argv)]
`);
    expect(result.ok).toBe(true);
    expect(saidBy(result)).not.toContain(it.host);
    expect(saidBy(result)).not.toContain("fork_server.py");
  });

  test("the list of mounts: where the workspace lies, and the kernel part", async () => {
    const workspace = it.makeWorkspace({ "a.txt": "a", ".env": "hidden" });
    const name = workspace.slice(workspace.lastIndexOf("/") + 1);
    const code = `
import os
os.mkdir("made"); open("made/b.txt", "w").write("b")
text = "".join(open("/proc/%s/%s" % (pid, name)).read() for pid in ("self", "1") for name in ("mountinfo", "mounts", "mountstats") if os.access("/proc/%s/%s" % (pid, name), os.R_OK))
result = [text, sorted(os.listdir()), open("a.txt").read()]
`;
    const result = await it.attack(code, { workspace });
    expect(result).toMatchObject({ ok: true, result: [expect.stringContaining("/work"), ["a.txt", "made"], "a"] });
    expect(saidBy(result)).not.toContain(name);
    expect(saidBy(result)).not.toContain("sandbox/kernel");
  });

  test("a session gets back what a failed step deleted, and still does not see where it lies", async () => {
    const workspace = it.makeWorkspace({ "kept/a.txt": "a", ".env": "hidden" });
    const name = workspace.slice(workspace.lastIndexOf("/") + 1);
    const session = await it.dock.sessions.open({ workspace });
    try {
      await session.exec("import os, shutil; shutil.rmtree('kept'); raise SystemExit(1)");
      const result = await session.exec(
        "result = [sorted(os.listdir('kept')) if 'os' in globals() else sorted(__import__('os').listdir('kept')), open('/proc/self/mountinfo').read()]",
      );
      expect(result).toMatchObject({ ok: true, result: [["a.txt"], expect.any(String)] });
      expect(JSON.stringify(result)).not.toContain(name);
    } finally {
      await session.close();
    }
  });
});

describe("what others allowed whoever started the dock", () => {
  test.skipIf(hasNoCores || process.arch !== "x64")(
    "core dumps: the limit at which the kernel starts no program for them stays",
    async () => {
      const result = await it.attack(`
import ctypes, resource, subprocess
libc = ctypes.CDLL(None, use_errno=True)
core, none = resource.RLIMIT_CORE, (ctypes.c_ulong * 2)(0, 0)
before = resource.getrlimit(core)
resource.setrlimit(core, (0, 0))
libc.setrlimit(core, none)
for resource_number in (core, core | 1 << 32):
    libc.syscall(ctypes.c_long(160), ctypes.c_ulong(resource_number), none)
    libc.syscall(ctypes.c_long(302), ctypes.c_long(0), ctypes.c_ulong(resource_number), none, None)
subprocess.run(["sh", "-c", "ulimit -c 0"])
result = [list(before), list(resource.getrlimit(core))]
`);
      expect(result).toMatchObject({
        ok: true,
        result: [
          [1, 1],
          [1, 1],
        ],
      });
    },
  );

  test("priorities over other programs", async () => {
    const result = await it.attack(`
import os, resource
won = []
try: os.nice(-1); won.append("nice")
except OSError: pass
for policy in (os.SCHED_FIFO, os.SCHED_RR):
    try: os.sched_setscheduler(0, policy, os.sched_param(1)); won.append(policy)
    except OSError: pass
result = [won, resource.getrlimit(resource.RLIMIT_NICE), resource.getrlimit(resource.RLIMIT_RTPRIO)]
`);
    expect(result).toMatchObject({
      ok: true,
      result: [[], [0, 0], [0, 0]],
    });
  });

  test("sockets of other protocols than TCP and UDP", async () => {
    const result = await it.attack(`
import socket
won = []
for family in (socket.AF_INET, socket.AF_INET6):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_DCCP if hasattr(socket, "SOCK_DCCP") else 6):
        for protocol in [*range(1, 300), 1 << 20]:
            if protocol in (6, 17): continue
            try: socket.socket(family, kind, protocol).close(); won.append((int(family), int(kind), protocol))
            except OSError: pass
for kind, protocol in ((socket.SOCK_STREAM, 0), (socket.SOCK_STREAM, 6), (socket.SOCK_DGRAM, 17)): socket.socket(socket.AF_INET, kind, protocol).close()
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });
});
