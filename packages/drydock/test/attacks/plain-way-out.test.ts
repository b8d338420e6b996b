import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

/**
 * The default limits, so that runs are plain: as root the lookout attends them, their slots are used again, and pid 1 carries what they
 * send. As an ordinary user their warden does.
 */
const it = openTestDock({ warm: 4, policy: 'version: 1\nnetwork: { allow: ["localhost:*", "127.0.0.1:*"] }\n' });
const isRoot = process.getuid?.() === 0;

const servers = ["first", "second"].map((name) => ({
  server: createServer((_request, response) => response.end(`hello from ${name}`)),
  port: 0,
}));
beforeAll(async () => {
  for (const each of servers) {
    each.server.listen(0, "127.0.0.1");
    await once(each.server, "listening");
    each.port = (each.server.address() as AddressInfo).port;
  }
});
afterAll(() => {
  for (const { server } of servers) server.close();
});

const run = (code: string, allow?: string[]) =>
  it.python(code, { unsafe: true, policy: allow && { network: { allow } } });
const urlOf = (number: number) => `http://localhost:${servers[number]?.port}/`;

const SLOT = `import os
slot = "%s-%s" % (os.stat("/home/dock").st_ctime_ns, os.readlink("/proc/self/ns/mnt"))
`;
const GET = `import urllib.error, urllib.request
def get(url):
    try: return urllib.request.urlopen(url, timeout=20).read().decode()
    except urllib.error.HTTPError as error: return error.code
    except OSError as error: return type(error).__name__
`;

/** Runs the code in a slot that was used before, where slots are. */
async function runInUsedSlot(code: string) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const result = await run(code);
    if (result.sandbox.reused === true || !isRoot) return result;
    await run("1");
    await sleep(100);
  }
  throw new Error("no slot was used again");
}

describe("a plain run that may reach hosts", { timeout: 60_000 }, () => {
  test("has a slot after another that did not connect either, and reaches its hosts from there", async () => {
    const result = await runInUsedSlot(`${GET}result = [get("${urlOf(0)}"), get("${urlOf(1)}")]`);
    expect(result).toMatchObject({ ok: true, result: ["hello from first", "hello from second"] });
    expect(result.sandbox.reused === true).toBe(isRoot);
  });

  test("ends its slot by connecting, whether or not it got through", async () => {
    const slots = new Set<unknown>();
    const connect = [
      `${GET}get("${urlOf(0)}")`,
      `${GET}get("http://forbidden.example:1/")`,
      "import socket; socket.create_connection(('127.0.0.1', 3128))",
      "import socket; s = socket.socket(); s.setblocking(False); s.connect_ex(('127.0.0.1', 3128))",
    ];
    for (const code of connect) {
      for (let visit = 0; visit < 3; visit++) {
        const { result } = await runInUsedSlot(`${SLOT}${code}\nresult = slot`);
        slots.add(result);
        await sleep(50);
      }
    }
    expect(slots.size).toBe(connect.length * 3);
    const { result } = await run(`${SLOT}result = slot`);
    expect(slots).not.toContain(result);
  });

  test("never has in its memory what the proxy knows it by", async () => {
    const search = (before: string) => `${before}
import re
found = []
wanted = re.compile(rb'egress-[0-9]+-[0-9a-f]+[.]soc[k]|"toke[n]": ?"|DRYDOC[K] [\\w-]{8}')
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
    expect(await run(search(""))).toMatchObject({ ok: true, result: [] });
    expect(await runInUsedSlot(search(`${GET}get("${urlOf(0)}")`))).toMatchObject({ ok: true, result: [] });
  });

  test("reaches its own hosts only, beside another that reaches others", async () => {
    const reach = `${GET}import time
result = []
for _ in range(5):
    result.append([get("${urlOf(0)}"), get("${urlOf(1)}")])
    time.sleep(0.02)
`;
    const allowed = servers.map(({ port }) => [`localhost:${port}`]);
    const [first, second] = await Promise.all(allowed.map((allow) => run(reach, allow)));
    expect(first?.result).toEqual(Array(5).fill(["hello from first", 403]));
    expect(second?.result).toEqual(Array(5).fill([403, "hello from second"]));
  });

  test("leaves no way out to one that may reach none", async () => {
    const refused = `import socket\ntry: socket.create_connection(("127.0.0.1", 3128)); result = "connected"\nexcept OSError as error: result = type(error).__name__`;
    for (let visit = 0; visit < 4; visit++) {
      await run("1");
      expect(await run(refused, [])).toMatchObject({ ok: true, result: "ConnectionRefusedError" });
      await sleep(50);
    }
  });

  test("can't take, stop, read or replace what carries its connections", async () => {
    const result = await run(`${GET}
import ctypes, os, signal, socket
before = get("${urlOf(0)}")
libc = ctypes.CDLL(None)
for each in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV):
    try: os.kill(1, each)
    except OSError: pass
libc.ptrace(16, 1, 0, 0); libc.ptrace(0x4206, 1, 0, 0)
won = []
for name in ("mem", "environ", "maps", "fd/0", "ns/net"):
    try: won.append(os.open("/proc/1/" + name, os.O_RDONLY))
    except OSError: pass
for options in ((socket.SO_REUSEADDR,), (socket.SO_REUSEPORT,), (socket.SO_REUSEADDR, socket.SO_REUSEPORT)):
    with socket.socket() as s:
        for option in options: s.setsockopt(socket.SOL_SOCKET, option, 1)
        try: s.bind(("127.0.0.1", 3128)); s.listen(); won.append("bound")
        except OSError: pass
try: won.append(os.fstat(signal.pidfd_send_signal(os.pidfd_open(1), signal.SIGKILL)))
except (OSError, TypeError): pass
try:
    for number in range(64): won.append(libc.syscall(438, os.pidfd_open(1), number, 0) >= 0 or "kept")
except OSError: pass
result = [before, [each for each in won if each != "kept"], get("${urlOf(1)}")]
`);
    expect(result).toMatchObject({ ok: true, result: ["hello from first", [], "hello from second"] });
  });

  test("gets nothing and stops nothing by saying itself that it connects", async () => {
    const forged = `import os, struct
for kind in b"NGHyr": os.write(3, struct.pack(">IB", 2, kind) + b"{}")
`;
    expect(await run(`${forged}${GET}result = get("${urlOf(0)}")`)).toMatchObject({ result: "hello from first" });
    expect(await run(`${GET}first = get("${urlOf(0)}")\n${forged}result = [first, get("${urlOf(1)}")]`)).toMatchObject({
      result: ["hello from first", "hello from second"],
    });
  });

  test("is over when its code is, whatever it holds open", async () => {
    const held = `import os, socket, time
s = socket.create_connection(("127.0.0.1", 3128))
s.sendall(b"CONNECT localhost:${servers[0]?.port ?? 0} HTTP/1.1\\r\\n\\r\\n")
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
result = 1
`;
    expect(await run(held)).toMatchObject({ ok: true, result: 1 });
    expect(await run(`${GET}result = get("${urlOf(0)}")`)).toMatchObject({ ok: true, result: "hello from first" });
  });

  test("is served, or refused, where it has taken up all processes first", async () => {
    const result = await run(`
import os, socket, time
try:
    for _ in range(80):
        if os.fork() == 0: time.sleep(60); os._exit(0)
except OSError: pass
with socket.socket() as s:
    s.settimeout(5)
    try:
        s.connect(("127.0.0.1", 3128))
        s.sendall(b"CONNECT localhost:1 HTTP/1.1\\r\\n\\r\\n")
        result = s.recv(100).decode()
    except TimeoutError: result = "hangs"
    except OSError: result = ""
`);
    expect(result.result).toMatch(isRoot ? /^HTTP/ : /^(?:$|HTTP)/);
  });
});
