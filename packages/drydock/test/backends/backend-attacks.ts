import type { ExecOptions } from "drydock";

export interface Target {
  /** A file with a secret, and the directory that it lies in. */
  canary: string;
  directory: string;
  /** A living process of this test. */
  pid: number;
  /** TCP on loopback, and a unix socket, where somebody counts the callers. */
  port: number;
  socket: string;
  marker: string;
}

/** Collects in `won` what came of each try; an attack that got nowhere leaves it empty. */
function tries(lines: readonly string[]): string {
  const preamble = `
import ctypes, os, signal, socket, stat, sys
libc = ctypes.CDLL(None, use_errno=True)
won = []
def attempt(name, action):
    try:
        found = action()
        if found is not False: won.append([name, repr(found)[:200]])
    except (OSError, AttributeError): pass
def call(name, number, *arguments):
    if libc.syscall(ctypes.c_long(number), *arguments) >= 0: won.append(name)
`;
  return [preamble, ...lines, "result = won"].join("\n");
}

/** Each gives an empty list where the walls hold. */
export function attacksOn({ canary, directory, pid, port, socket }: Target): Record<string, ExecOptions> {
  const [file, place, unix] = [canary, directory, socket].map((path) => JSON.stringify(path));
  const programs: Record<string, readonly string[]> = {
    "reading a host file, also by way of /proc, links and parents": [
      `paths = [${file}, "/proc/self/root" + ${file}, "/proc/${pid}/root" + ${file}, "/dev/fd/3/../.." + ${file}]`,
      `attempt("symlink", lambda: os.symlink(${file}, "s") or False)`,
      `attempt("link", lambda: os.link(${file}, "h") and open("h").read())`,
      "for path in paths + ['s', 'h']: attempt(path, lambda: open(path).read())",
      'for path in ("/etc/shadow", "/etc/passwd", "/proc/self/maps", "/proc/1/cmdline", "/dev/tty", "/dev/mem"): attempt(path, lambda: open(path, "rb").read(64))',
      `for path in ("/", "/etc", "/proc", "/tmp", "/home", "/root", "/var", "/dev/shm", ${place}): attempt(path, lambda: os.listdir(path))`,
      `attempt("exec", lambda: os.system("cat " + ${file} + " > out 2> /dev/null") == 0 and open("out").read())`,
    ],
    "writing outside": [
      `base = ${place}`,
      "attempt('create', lambda: open(base + '/new', 'w'))",
      `attempt("append", lambda: open(${file}, "a"))`,
      `attempt("truncate", lambda: os.truncate(${file}, 0))`,
      `attempt("unlink", lambda: os.unlink(${file}))`,
      `attempt("rename", lambda: os.rename(${file}, "mine"))`,
      "attempt('mkdir', lambda: os.mkdir(base + '/directory'))",
      "attempt('symlink', lambda: os.symlink('/', base + '/symlink'))",
      "attempt('fifo', lambda: os.mkfifo(base + '/fifo'))",
      'for path in ("/tmp/drydock-escaped", "/dev/shm/drydock-escaped", "/var/tmp/drydock-escaped", "/usr/drydock-escaped", "/etc/drydock-escaped"): attempt(path, lambda: open(path, "w"))',
    ],
    "changing modes, times, owners and attributes of a host file": [
      `for name, action in {"chmod": lambda: os.chmod(${file}, 0o777), "utime": lambda: os.utime(${file}, (1, 1)), "chown": lambda: os.chown(${file}, os.getuid(), os.getgid()), "setxattr": lambda: os.setxattr(${file}, "user.x", b"1"), "lchown": lambda: os.lchown(${file}, os.getuid(), os.getgid())}.items(): attempt(name, action)`,
      `call("fchmodat2", 452, -100, ${file}.encode(), 0o777, 0)`,
      "for path in (sys.executable, '/usr/bin/env'): attempt(path, lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o755))",
      `attempt("watch", lambda: (libc.inotify_add_watch(libc.inotify_init1(0), ${place}.encode(), 0xfff) >= 0) or False)`,
    ],
    "the network, and sockets of the host": [
      `attempt("tcp", lambda: socket.create_connection(("127.0.0.1", ${port}), 2))`,
      "attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 53)))",
      "for family in (1, 2, 10, 16, 17, 40): attempt(family, lambda: socket.socket(family, socket.SOCK_RAW if family > 10 else socket.SOCK_STREAM))",
      `attempt("unix", lambda: socket.socket(socket.AF_UNIX).connect(${unix}))`,
      "attempt('datagram pair', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0])",
      `attempt("pair", lambda: socket.socketpair()[0].connect(${unix}))`,
      `attempt("address", lambda: socket.socketpair()[0].sendmsg([b"x"], [], 0, ${unix}))`,
      "attempt('listen', lambda: socket.socketpair()[0].listen())",
    ],
    "processes of the host": [
      `for victim in (${pid}, os.getppid(), 1):`,
      "    for number in (0, signal.SIGTERM, signal.SIGKILL): attempt(('kill', victim, number), lambda: os.kill(victim, number))",
      "    attempt(('pidfd', victim), lambda: signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGKILL))",
      "    attempt(('priority', victim), lambda: os.setpriority(os.PRIO_PROCESS, victim, 19))",
      "    attempt(('affinity', victim), lambda: os.sched_setaffinity(victim, {0}))",
      "    import resource",
      "    attempt(('prlimit', victim), lambda: resource.prlimit(victim, resource.RLIMIT_NOFILE, (3, 3)))",
      "    call(('ptrace', victim), 101, 16, victim, 0, 0)",
      "    call(('seize', victim), 101, 0x4206, victim, 0, 0)",
      "    call(('getfd', victim), 438, os.pidfd_open(victim), 0, 0)",
      "    attempt(('memory', victim), lambda: open('/proc/%d/mem' % victim, 'rb'))",
      "    attempt(('environment', victim), lambda: open('/proc/%d/environ' % victim, 'rb').read())",
      "attempt('user', lambda: os.setpriority(os.PRIO_USER, 0, 19))",
    ],
    "the kernel's other doors": [
      'calls = {"mount": (165, b"x", b"/tmp", b"tmpfs", 0, 0), "unshare": (272, 0x10000000), "setns": (308, 0, 0), "keyctl": (250, 1, 0), "add_key": (248, b"user", b"x", b"y", 1, -1), "io_uring": (425, 8, 0), "bpf": (321, 0, 0, 0), "perf": (298, 0, 0, -1, -1, 0), "userfaultfd": (323, 0), "chroot": (161, b"."), "memfd": (319, b"x", 0), "shmget": (29, 0, 4096, 0o1600), "semget": (64, 0, 1, 0o1600), "msgget": (68, 0, 0o1600), "mq_open": (240, b"x", 0o102, 0o600, 0), "handle": (304, -100, 0, 0), "clone": (56, 0x10000011, 0, 0, 0, 0), "process_vm_readv": (310, 1, 0, 0, 0, 0, 0)}',
      "for name, (number, *arguments) in calls.items(): call(name, number, *arguments)",
      "if libc.prctl(39, 0, 0, 0, 0) != 1: won.append('new privileges')",
      "import fcntl",
      "for descriptor in range(4, 256): attempt(('descriptor', descriptor), lambda: fcntl.fcntl(descriptor, fcntl.F_GETFD))",
    ],
    "other runs and the sandbox's own places": [
      "above = os.path.dirname(os.path.dirname(os.getcwd()))",
      "for path in (above, above + '/..', above + '/m1/work', above + '/python.sock', above + '/places'): attempt(path, lambda: os.listdir(path))",
      "attempt('socket', lambda: socket.socket(socket.AF_UNIX).connect(above + '/python.sock'))",
      "attempt('file', lambda: open(above + '/x', 'w'))",
      "attempt('environment', lambda: [name for name in os.environ if 'CANARY' in name] or False)",
    ],
  };
  const requests = Object.entries(programs).map(([name, lines]) => [
    name,
    { language: "python", code: tries(lines), unsafe: true } satisfies ExecOptions,
  ]);
  return Object.fromEntries(requests) as Record<string, ExecOptions>;
}

const limited = (limits: object) => ({ unsafe: true, policy: { limits } }) as const;

/** What runs until a limit ends it, with the code of the error that tells so. */
export const BOMBS: Record<string, { request: ExecOptions; codes: string[] }> = {
  "a memory bomb": {
    request: {
      language: "python",
      code: "x = []\nwhile True: x.append(bytearray(1 << 20))",
      ...limited({ memoryMb: 128, wallSeconds: 60 }),
    },
    codes: ["limit.memory"],
  },
  "a disk bomb of many files": {
    request: {
      language: "python",
      code: "import itertools\nfor i in itertools.count(): open(str(i), 'wb').write(bytes(1 << 20))",
      ...limited({ diskMb: 32, wallSeconds: 60 }),
    },
    codes: ["limit.disk"],
  },
  "a disk bomb of deleted files": {
    request: {
      language: "python",
      code: "import os\nheld = []\nwhile True:\n    f = open('x', 'wb'); os.unlink('x'); f.write(bytes(1 << 20)); f.flush(); held.append(f)",
      ...limited({ diskMb: 32, wallSeconds: 60, openFiles: 4000 }),
    },
    codes: ["limit.disk"],
  },
  // It stops by itself: where no pid namespace bounds it, a real one would take the machine down if the walls were gone.
  "a program that forks as often as it can": {
    request: {
      language: "python",
      code: `import os, time
for i in range(150):
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
time.sleep(1)`,
      ...limited({ processes: 32, wallSeconds: 60 }),
    },
    codes: ["limit.processes"],
  },
  "an endless loop": {
    request: { language: "python", code: "while True: pass", ...limited({ wallSeconds: 0.5 }) },
    codes: ["limit.timeout"],
  },
};

/** Processes that would go on after the run, each with the marker in its command line. */
export function survivorsWith(marker: string): Record<string, ExecOptions> {
  return {
    "a daemon in a session of its own": {
      language: "bash",
      code: `(setsid bash -c 'trap "" TERM HUP; exec -a ${marker} sleep 60' &) ; sleep 0.2`,
    },
    "a daemon of a run that is out of time": {
      language: "bash",
      code: `(setsid bash -c 'exec -a ${marker} sleep 60' &) ; sleep 30`,
      policy: { limits: { wallSeconds: 0.4 } },
    },
  };
}
