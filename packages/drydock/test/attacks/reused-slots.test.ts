import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

/** The default limits, so that runs are plain: as root they have a slot one after the other, as long as it stays as it was built. */
const it = openTestDock({ warm: 4 });
const isRoot = process.getuid?.() === 0;

const run = (code: string) => it.python(code, { unsafe: true });

/** When the slot was built, and its mounts: no two slots have both in common. */
const SLOT = `import os
built = os.stat("/home/dock").st_ctime_ns
slot = "%s-%s" % (built, os.readlink("/proc/self/ns/mnt"))
`;

/**
 * Everything that a program can find out about where it runs, but for when the slot was built. Where slots are used again, nothing of
 * pid 1 is seen.
 */
const LOOK = `${SLOT}
import ctypes, fcntl, glob, resource, select, signal, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(action):
    try: return action()
    except Exception as error: return type(error).__name__
def read(path): return attempt(lambda: open(path).read())
places = ("/work", "/tmp", "/var/tmp", "/dev/shm", "/home/dock", "/dev/pts")
def at(place):
    found = os.stat(place)
    return [oct(found.st_mode), found.st_uid, found.st_gid, found.st_nlink, found.st_size, found.st_mtime_ns - built < 10**9, os.listxattr(place), os.listdir(place)]
result = {
    "files": [at(place) for place in places],
    "room": [os.statvfs("/tmp").f_bfree, os.statvfs("/tmp").f_ffree],
    "shown": {name: read("/proc/net/" + name) for name in ("dev", "snmp", "netstat", "snmp6", "unix", "tcp", "tcp6", "udp", "udp6", "ip6_flowlabel", "igmp", "igmp6", "route", "arp")},
    "objects": [read("/proc/sysvipc/" + name) for name in ("shm", "sem", "msg")],
    "named": [libc.shmget(4711, 0, 0), libc.semget(4711, 0, 0), libc.msgget(4711, 0), libc.mq_open(b"/left", 0)],
    "sockets": [attempt(lambda: socket.socket(family).connect(address)) for family, address in ((1, "\\0left"), (1, "/tmp/left.sock"))],
    "locks": read("/proc/locks"), "last": read("/proc/sys/kernel/ns_last_pid"), "pid": [os.getpid(), os.getppid(), os.getpgrp(), os.getsid(0)],
    "processes": sorted(each for each in os.listdir("/proc") if each.isdigit()), "first": [read("/proc/1/" + name) for name in (${isRoot ? '"stat", "status", "sched", "comm"' : ""})],
    "priorities": [os.getpriority(os.PRIO_PROCESS, 0), os.getpriority(os.PRIO_PROCESS, 1), os.sched_getscheduler(0), sorted(os.sched_getaffinity(0)), sorted(os.sched_getaffinity(1)), libc.syscall(252, 1, 1)],
    "limits": [resource.getrlimit(each) for each in range(16)], "umask": os.umask(0o22), "directory": os.getcwd(), "environment": dict(os.environ),
    "signals": [str(signal.getsignal(each)) for each in sorted(signal.valid_signals())], "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())), "pending": sorted(signal.sigpending()),
    "timers": [signal.getitimer(each) for each in range(3)], "identity": [os.getresuid(), os.getresgid(), os.getgroups(), read("/proc/self/status").split("CapInh")[1].split("Cpus_allowed:")[0]],
    "descriptors": [os.readlink("/proc/self/fd/%d" % each).split(":")[0] for each in range(4)] + [each for each in range(4, 64) if attempt(lambda: fcntl.fcntl(each, fcntl.F_GETFD)) != "OSError"],
    "memory": [line.split(None, 5)[1:] for line in open("/proc/self/maps") if "[" in line], "adjusted": [read("/proc/self/oom_score_adj"), read("/proc/self/coredump_filter"), read("/proc/self/autogroup") is None],
    "mounts": [line.split(" - ")[0].split()[4:6] for line in open("/proc/self/mountinfo")], "keys": [libc.syscall(250, 0, -3, 0) >= 0], "hostname": os.uname().nodename,
    "modules": sorted(sys.modules), "arguments": sys.argv, "path": sys.path, "names": sorted(name for name in globals()), "builtins": len(dir(__builtins__)),
    "children": [os.times().children_user, resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt], "terminals": sorted(glob.glob("/dev/pts/*")),
}
result["memory"] = len(result["memory"])
print(slot)
`;

const LIBC = `import ctypes, os, sys, time\nlibc = ctypes.CDLL(None, use_errno=True)\n`;
const DAEMON = `import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for descriptor in range(64):
            try: os.close(descriptor)
            except OSError: pass
        time.sleep(60)
    os._exit(0)
os.wait()
`;

/** What an attacker does in the hope that the next run meets it. */
const ATTACKS: readonly (readonly [what: string, code: string])[] = [
  ["a file in the working directory", `open("/work/left", "w").write("x")`],
  ["a file in the temporary directory", `open("/tmp/left", "w").write("x")`],
  ["a file in the home directory", `open("/home/dock/left", "w").write("x")`],
  ["a file in shared memory", `open("/dev/shm/left", "w").write("x")`],
  ["a file that is gone again", `import os; open("/var/tmp/left", "w").close(); os.unlink("/var/tmp/left")`],
  ["a file that never had a name", `import os; os.write(os.open("/tmp", os.O_TMPFILE | os.O_RDWR), b"x" * 99999)`],
  ["a directory and a link", `import os; os.mkdir("/tmp/a"); os.symlink("/etc", "/work/b"); os.mkfifo("/dev/shm/c")`],
  ["modes of directories", `import os\nfor each in ("/work", "/home/dock", "/dev/shm"): os.chmod(each, 0o777)`],
  ["times of directories", `import os\nfor each in ("/work", "/home/dock", "/dev/shm"): os.utime(each, (1, 1))`],
  [
    "an attribute of a directory",
    `import os\ntry: os.setxattr("/work", "user.left", b"x")\nexcept OSError: os.chmod("/work", 0o711)`,
  ],
  ["the time of a terminal", `import os; os.utime("/dev/pts/ptmx")`],
  ["a terminal that was open", `import os, pty; a, b = pty.openpty(); os.write(a, b"left\\n"); os.fchmod(b, 0o666)`],
  ["packets on the loopback", `import socket; socket.socket(2, 2).sendto(b"x", ("127.0.0.1", 9))`],
  [
    "a connection on the loopback",
    `import socket; s = socket.create_server(("127.0.0.1", 4713)); c = socket.create_connection(("127.0.0.1", 4713))`,
  ],
  ["a connection that is refused", `import socket\ntry: socket.create_connection(("::1", 4713))\nexcept OSError: pass`],
  [
    "a network that can't be reached",
    `import socket\ntry: socket.socket(2, 2).connect(("10.1.1.1", 9))\nexcept OSError: pass`,
  ],
  [
    "a multicast group",
    `import socket\ns = socket.socket(2, 2)\ntry: s.setsockopt(0, 35, socket.inet_aton("224.1.1.1") + socket.inet_aton("127.0.0.1"))\nexcept OSError: pass`,
  ],
  ["an abstract socket", `import socket; s = socket.socket(1); s.bind("\\0left"); s.listen()`],
  ["a socket in a file", `import socket; s = socket.socket(1); s.bind("/tmp/left.sock"); s.listen()`],
  [
    "a socket on its way through itself",
    `import array, socket\na, b = socket.socketpair()\na.sendmsg([b"x"], [(1, 1, array.array("i", [a.fileno(), b.fileno()]))])`,
  ],
  ["a daemon", DAEMON],
  [
    "a child that nobody reaped",
    `import os, time\nif os.fork() == 0:\n    if os.fork() == 0: os._exit(0)\n    os._exit(0)\nos.wait(); time.sleep(0.05)`,
  ],
  [
    "a child of pid 1 by way of clone",
    `${LIBC}\nif libc.syscall(56, 0x8000 | 17, 0, 0, 0, 0) == 0:\n    while True: time.sleep(1)`,
  ],
  ["processes that were reaped", `import os\nfor _ in range(7):\n    if os.fork() == 0: os._exit(0)\n    os.wait()`],
  [
    "threads that are still busy",
    `import threading, time; threading.Thread(target=time.sleep, args=(30,), daemon=True).start()`,
  ],
  ["a shared segment", `${LIBC}libc.shmget(4711, 4096, 0o1666)`],
  ["a shared segment that is gone again", `${LIBC}libc.shmctl(libc.shmget(0, 4096, 0o1666), 0, None)`],
  ["a semaphore", `${LIBC}libc.semget(4711, 1, 0o1666)`],
  ["a message queue", `${LIBC}libc.msgget(4711, 0o1666)`],
  ["a POSIX queue", `${LIBC}libc.mq_open(b"/left", 0o102, 0o666, None)`],
  [
    "memory without a file",
    `import mmap, os\nm = mmap.mmap(-1, 1 << 20)\nm[:] = b"x" * len(m)\ntry: os.write(os.memfd_create("left"), b"x" * 99999)\nexcept OSError: pass`,
  ],
  [
    "a key",
    `${LIBC}[libc.syscall(248, b"user", b"left", b"x", 1, each) for each in (-1, -2, -3, -4, -5)]; libc.syscall(250, 1, b"left")`,
  ],
  [
    "priorities",
    `import os\nfor kind, who in ((os.PRIO_PROCESS, 0), (os.PRIO_PROCESS, 1), (os.PRIO_PGRP, 0), (os.PRIO_USER, 0), (os.PRIO_USER, 1000)):\n    try: os.setpriority(kind, who, 19)\n    except OSError: pass`,
  ],
  [
    "priorities of input and output",
    `${LIBC}[libc.syscall(251, kind, who, 3 << 13) for kind, who in ((1, 0), (1, 1), (2, 0), (3, 1000), (3, 0))]`,
  ],
  [
    "processors",
    `import os\nfor who in (0, 1):\n    try: os.sched_setaffinity(who, {0}); os.sched_setscheduler(who, os.SCHED_IDLE, os.sched_param(0))\n    except OSError: pass`,
  ],
  [
    "limits of resources",
    `import resource\nfor who in (0, 1):\n    for kind in range(16):\n        try: resource.prlimit(who, kind, (1, 1))\n        except (OSError, ValueError): pass`,
  ],
  [
    "umask, directory and environment",
    `import os; os.umask(0o777); os.chdir("/"); os.environ["LEFT"] = "x"; os.putenv("LEFT", "x")`,
  ],
  [
    "signals",
    `import signal\nfor each in signal.valid_signals():\n    try: signal.signal(each, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())`,
  ],
  [
    "timers",
    `import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN); signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05); signal.alarm(1)`,
  ],
  [
    "signals to pid 1",
    `import os, signal\nfor each in signal.valid_signals():\n    for target in (1, -1):\n        if target == -1 and each in (signal.SIGKILL, signal.SIGSTOP): continue\n        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n        try: os.kill(target, each)\n        except OSError: pass`,
  ],
  [
    "stopping or killing pid 1",
    `import os, signal\nfor each in (signal.SIGSTOP, signal.SIGKILL):\n    try: os.kill(1, each)\n    except OSError: pass\n    try: signal.pidfd_send_signal(os.pidfd_open(1), each)\n    except OSError: pass`,
  ],
  [
    "memory of pid 1",
    `${LIBC}libc.ptrace(16, 1, 0, 0); libc.ptrace(0x4206, 1, 0, 0)\nfor name in ("mem", "oom_score_adj", "comm", "clear_refs", "timerslack_ns", "coredump_filter", "uid_map", "setgroups", "autogroup"):\n    try: os.write(os.open("/proc/1/" + name, os.O_RDWR), b"1")\n    except OSError: pass`,
  ],
  [
    "a watch and locks",
    `import ctypes, fcntl, os; libc = ctypes.CDLL(None); w = libc.inotify_init(); libc.inotify_add_watch(w, b"/tmp", 0xfff); libc.inotify_add_watch(w, b"/usr/bin", 0xfff)\nfor path in ("/work", "/usr/bin/env"):\n    f = os.open(path, os.O_RDONLY); fcntl.flock(f, fcntl.LOCK_SH)`,
  ],
  [
    "groups, mounts and namespaces",
    `${LIBC}import glob\nfor path in glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True) + ["/sys/fs/cgroup/cgroup.freeze"]:\n    try: open(path, "w").write("1")\n    except OSError: pass\nlibc.mount(b"left", b"/tmp", b"tmpfs", 0, None); libc.unshare(0x20000); libc.umount2(b"/tmp", 2); libc.sethostname(b"left", 4)`,
  ],
  [
    "descriptors and frames to whoever reads them",
    `import os\nfor number in range(3, 64):\n    try: os.write(number, b"\\0\\0\\0\\0G" * 3 + b"\\0\\0\\0\\0H" * 3)\n    except OSError: pass`,
  ],
  [
    "a descriptor for whoever reads the channel",
    `import os, socket; socket.send_fds(socket.socket(fileno=os.dup(3)), [b"\\0\\0\\0\\0G"], [os.open("/work", os.O_RDONLY)])`,
  ],
  [
    "the interpreter",
    `import builtins, gc, json, sys\nbuiltins.len = None; sys.left = "x"; sys.path.clear(); sys.modules["json"] = None\nfor thing in gc.get_objects():\n    if isinstance(thing, dict) and "CONDITIONS" in thing: thing["CONDITIONS"] = ()`,
  ],
  [
    "a rule of Landlock",
    `${LIBC}libc.prctl(38, 1, 0, 0, 0); f = libc.syscall(444, (ctypes.c_uint64 * 1)(0xfff), 8, 0); libc.syscall(446, f, 0)`,
  ],
  [
    "its own user, as far as it may change",
    `import os\nfor action in (lambda: os.setgroups([0]), lambda: os.setresuid(0, 0, 0), lambda: os.setresgid(0, 0, 0), lambda: os.setsid()):\n    try: action()\n    except OSError: pass`,
  ],
  ["memory locked and never given back", `${LIBC}libc.mlockall(7)`],
];

/** What leaves nothing behind, so that the slot is used again after it: all that it changed was the process's own. */
const HARMLESS = new Set([
  "a multicast group",
  "an abstract socket",
  "processes that were reaped",
  "memory without a file",
  "a key",
  "priorities",
  "priorities of input and output",
  "processors",
  "umask, directory and environment",
  "timers",
  "stopping or killing pid 1",
  "memory of pid 1",
  "a watch and locks",
  "groups, mounts and namespaces",
  "the interpreter",
  "a rule of Landlock",
  "its own user, as far as it may change",
  "memory locked and never given back",
  "a terminal that was open",
  "a socket on its way through itself",
  "threads that are still busy",
  "limits of resources",
  "signals",
  "signals to pid 1",
]);

async function lookAround() {
  const seen = await run(LOOK);
  expect(seen.error).toBe(null);
  return { slot: seen.stdout.trim(), reused: seen.sandbox.reused === true, result: seen.result };
}

describe("a run that hopes to meet the next one in its slot", { timeout: 60_000 }, () => {
  test("slots are used again where there is nothing to be met", async () => {
    const fresh = await lookAround();
    const seen: Awaited<ReturnType<typeof lookAround>>[] = [];
    for (let attempt = 0; attempt < 10 && !seen.some(({ reused }) => reused); attempt++) {
      await sleep(100);
      seen.push(await lookAround());
    }
    expect(seen.some(({ reused }) => reused)).toBe(isRoot);
    for (const { result } of seen) expect(result).toEqual(fresh.result);
  });

  test.each(ATTACKS)("%s", async (what, code) => {
    const before = await lookAround();
    await sleep(30);
    const attack = await run(`${SLOT}print(slot, flush=True)\n${code}`);
    await sleep(30);
    const after = await lookAround();
    expect(after.result).toEqual(before.result);
    if (!HARMLESS.has(what)) expect(after.slot).not.toBe(attack.stdout.split("\n")[0]);
  });

  test("what a run held in its memory, read or printed is in no later run's memory", async () => {
    const secret = `left-behind-${Math.random().toString(16).slice(2)}`;
    const search = `
import re
found = []
wanted = re.compile(rb"left-behin[d]-[0-9a-f]{4}")
with open("/proc/self/mem", "rb", 0) as memory:
    for line in open("/proc/self/maps"):
        span, mode = line.split()[:2]
        if mode[0] != "r" or "[v" in line: continue
        start, end = (int(each, 16) for each in span.split("-"))
        try:
            memory.seek(start)
            found += [each.group().decode() for each in wanted.finditer(memory.read(end - start))]
        except (OSError, ValueError, OverflowError): pass
result = sorted(set(found))
`;
    for (const stdin of [undefined, `input ${secret}`]) {
      await it.python(`import sys; x = ["${secret}"] * 99; print(x, sys.argv); print("${secret}", file=sys.stderr)`, {
        args: [secret],
        stdin,
      });
      await sleep(150);
      expect(await run(search)).toMatchObject({ ok: true, result: [] });
    }
  });

  test("random numbers of one run do not tell those of the next", async () => {
    const values: unknown[] = [];
    for (let visit = 0; visit < 4; visit++) {
      const drawn = await run(
        "import os, random, tempfile, uuid; result = [random.random(), str(uuid.uuid4()), os.urandom(8).hex(), tempfile.mktemp()]",
      );
      values.push(...(drawn.result as unknown[]));
      await sleep(100);
    }
    expect(new Set(values).size).toBe(16);
  });
});
