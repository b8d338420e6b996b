export interface Leftover {
  /** The condition that sees it. */
  condition: string;
  /** Others that see it as well: they are taken away on both sides of the comparison. */
  beside?: readonly string[];
  stdin?: string;
  code: string;
  /** What shows it to the next run, and what that says then. */
  look?: string;
  found?: string;
}

const LIBC = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n";
const NETWORK = "import socket\n";

/** One way for each condition to leave something in a slot that only this condition sees. */
export const LEFTOVERS: readonly Leftover[] = [
  { condition: "input", stdin: "something", code: "" },
  { condition: "reports", code: `import os, struct; os.write(3, struct.pack(">IB", 3, ord("f")) + b"a\\0b")` },
  { condition: "ended by itself", code: "import os; os.kill(os.getpid(), 9)" },
  {
    condition: "process limit",
    code: `
import os, signal
children = []
try:
    for _ in range(80):
        child = os.fork()
        if child == 0:
            signal.pause()
        children.append(child)
except OSError: pass
for child in children: os.kill(child, signal.SIGKILL)
for child in children: os.waitpid(child, 0)
`,
  },
  {
    condition: "directories",
    code: "import os; os.chmod('/work', 0o711)",
    look: "import os; print(oct(os.stat('/work').st_mode))",
    found: "0o40711",
  },
  {
    condition: "disk",
    beside: ["directories", "files"],
    code: "open('/tmp/left', 'w').write('left behind' * 500)",
    look: "print(open('/tmp/left').read(11))",
    found: "left behind",
  },
  {
    condition: "files",
    code: "import os; os.close(os.open('/tmp', os.O_TMPFILE | os.O_RDWR))",
  },
  {
    condition: "terminals",
    code: "import os; os.utime('/dev/pts/ptmx')",
  },
  {
    condition: "queues",
    code: `${LIBC}assert libc.mq_open(b"/left", 0o102, 0o600, None) >= 0`,
    look: `${LIBC}print("opened" if libc.mq_open(b"/left", 2) >= 0 else "not there")`,
    found: "opened",
  },
  {
    condition: "objects",
    code: `${LIBC}assert libc.semget(4711, 1, 0o1600) >= 0`,
    look: `${LIBC}print("opened" if libc.semget(4711, 1, 0) >= 0 else "not there")`,
    found: "opened",
  },
  {
    condition: "packets",
    beside: ["counters"],
    code: `${NETWORK}socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"left", ("127.0.0.1", 9))`,
    look: `print(open("/proc/net/dev").read().split("lo:")[1].split()[0] != "0")`,
    found: "True",
  },
  {
    condition: "counters",
    code: `${NETWORK}
try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("10.1.1.1", 9))
except OSError: pass
`,
  },
  {
    condition: "labels",
    code: `${NETWORK}import struct
request = struct.pack("=16sIBBHHHI", socket.inet_pton(socket.AF_INET6, "::1"), socket.htonl(0x12345), 0, 255, 1, 60, 60, 0)
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).setsockopt(41, 32, request)
`,
    look: `print(open("/proc/net/ip6_flowlabel").read())`,
    found: "12345",
  },
  {
    condition: "sockets",
    beside: ["packets", "counters"],
    code: `${NETWORK}
server = socket.create_server(("127.0.0.1", 4713))
client = socket.create_connection(("127.0.0.1", 4713))
client.close()
server.accept()[0].close()
`,
    look: `print(open("/proc/net/tcp").read())`,
    found: ":1269",
  },
];
