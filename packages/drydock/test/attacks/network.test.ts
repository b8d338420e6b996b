import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const servers: { close(): unknown }[] = [];
const visits: string[] = [];
let forbidden = 0;
let allowed = 0;

async function listen(name: string): Promise<number> {
  const server: Server = createServer((request, response) => {
    visits.push(`${name} ${request.url}`);
    response.end(`hello from ${name}`);
  });
  server.on("connection", () => visits.push(`${name} connection`));
  servers.push(server);
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

// Ports are chosen before the dock reads its policy: the hooks below run in this order.
beforeAll(async () => {
  forbidden = await listen("forbidden");
  allowed = await listen("allowed");
});
afterAll(() => {
  for (const server of servers) server.close();
});

const closed = openAttackDock();
const open = openAttackDock(`version: 1
network: { allow: ["127.0.0.1:*", "localhost:*", "*.example.org:*"] }
`);
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((entries) => entries?.map(({ address }) => address) ?? []);

describe("a run without network", () => {
  test("reaches no server on the host's loopback or own addresses, nor any elsewhere", async () => {
    const result = await closed.attack(`
import socket
won = []
for host in ["127.0.0.1", "localhost", "0.0.0.0", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254", "1.1.1.1", *${JSON.stringify(ownAddresses())}]:
    for port in (${forbidden}, ${allowed}, 22, 80, 443, 3128):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as s:
            s.settimeout(0.5)
            try: s.connect((host, port)); won.append((host, port))
            except OSError: pass
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    for host in ("1.1.1.1", "169.254.169.254", *${JSON.stringify(ownAddresses().filter((address) => address.includes(".") && !address.startsWith("127.")))}):
        try: s.sendto(b"x", (host, 53)); won.append(("udp", host))
        except OSError: pass
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
    expect(visits).toEqual([]);
  });

  test("resolves no names: a query alone would carry data out", async () => {
    const result = await closed.attack(`
import socket
won = []
for name in ("example.org", "localhost.localdomain", "metadata.google.internal"):
    try: won.append(socket.getaddrinfo(name, 80))
    except OSError: pass
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("reaches no unix socket of the host, neither by path nor by abstract name", async () => {
    const path = join(closed.host, "host.sock");
    const abstract = `\0drydock-attack-${process.pid}`;
    for (const place of [path, abstract]) {
      const server = createSocketServer(() => visits.push(`unix ${place}`)).listen(place);
      servers.push(server);
      await once(server, "listening");
    }
    const result = await closed.attack(`
import glob, socket
won = []
for place in (${JSON.stringify(path)}, "\\0drydock-attack-${process.pid}", "/proc/1/root" + ${JSON.stringify(path)}, "/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "\\0/tmp/.X11-unix/X0"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try: socket.socket(socket.AF_UNIX, kind).connect(place); won.append(place)
        except OSError: pass
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
    expect(visits).toEqual([]);
  });

  test("has no interface but its own loopback, and no way to make one", async () => {
    const result = await closed.attack(`
import fcntl, os, socket, struct
result = {"names": [line.split(":")[0].strip() for line in open("/proc/net/dev").read().splitlines()[2:]], "routes": len(open("/proc/net/route").read().splitlines()) - 1}
won = []
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for request, data in ((0x8914, struct.pack("16sH14s", b"lo", 0, b"")), (0x8916, struct.pack("16sHH4s8s", b"lo", 2, 0, bytes([10, 0, 0, 1]), b"")), (0x89a0, b"bridge0".ljust(32, b"\\0")), (0x890b, bytes(120))):
    try: fcntl.ioctl(s, request, data); won.append(hex(request))
    except OSError: pass
result["won"] = won
`);
    expect(result.error).toBe(null);
    const { names, won, routes } = result.result as { names: string[]; won: string[]; routes: number };
    expect(names.filter((name) => !["lo", "sit0", "tunl0", "ip6tnl0"].includes(name))).toEqual([]);
    expect({ won, routes }).toEqual({ won: [], routes: 0 });
  });

  test("/dev/tcp, curl, wget and git in bash reach nothing", async () => {
    const result = await closed.attack(
      `(exec 3<>/dev/tcp/127.0.0.1/${forbidden}) && echo reached
curl -sm 2 http://127.0.0.1:${forbidden}/ ; wget -qT 2 -O- http://127.0.0.1:${forbidden}/ ; echo quit > /dev/udp/127.0.0.1/${forbidden}
timeout 3 git ls-remote http://127.0.0.1:${forbidden}/x; true`,
      { language: "bash" },
    );
    expect(result.stdout).not.toMatch(/reached|hello/);
    expect(visits).toEqual([]);
  });
});

describe("a run with network to one host and port", () => {
  const exec = (code: string, options: Parameters<typeof open.attack>[1] = {}) =>
    open.attack(code, { policy: { network: { allow: [`127.0.0.1:${allowed}`] } }, ...options });
  const fetchAll = (urls: string[]) => `
import urllib.request
got = []
for url in ${JSON.stringify(urls)}:
    try: got.append((url, urllib.request.urlopen(url, timeout=3).read().decode()))
    except Exception: pass
result = got
`;

  test("reaches it, and no other port, name or spelling of an address", async () => {
    const good = `http://127.0.0.1:${allowed}/`;
    const result = await exec(
      fetchAll([
        good,
        `http://127.0.0.1:${forbidden}/`,
        `http://localhost:${forbidden}/`,
        `http://localhost:${allowed}/`,
        `http://0.0.0.0:${forbidden}/`,
        `http://[::1]:${forbidden}/`,
        `http://2130706433:${forbidden}/`,
        `http://0x7f.1:${forbidden}/`,
        `http://127.1:${forbidden}/`,
        `http://0177.0.0.1:${allowed}/`,
        `http://[::ffff:127.0.0.1]:${forbidden}/`,
        "http://169.254.169.254/",
        `http://127.0.0.1:${allowed}@127.0.0.1:${forbidden}/`,
        `http://127.0.0.1.:${forbidden}/`,
        `http://127.0.0.1%00.example.org:${forbidden}/`,
      ]),
    );
    expect(result.result).toEqual([[good, "hello from allowed"]]);
    expect(visits.filter((visit) => visit.startsWith("forbidden"))).toEqual([]);
  });

  test("a name that leads to this machine (rebinding) does not open it", async () => {
    const policy = { network: { allow: [`*.example.org:${forbidden}`] } };
    const result = await exec(
      fetchAll([
        `http://127.0.0.1.example.org:${forbidden}/`,
        `http://localhost.example.org:${forbidden}/`,
        `http://localhost:${forbidden}/`,
      ]),
      { policy },
    );
    expect(result.result ?? []).toEqual([]);
    expect(visits.filter((visit) => visit.startsWith("forbidden"))).toEqual([]);
  });

  test("sockets that do not ask the proxy lead nowhere", async () => {
    const result = await exec(`
import socket
won = []
for host in ["127.0.0.1", *${JSON.stringify(ownAddresses().filter((address) => address.includes(".")))}]:
    for port in (${allowed}, ${forbidden}):
        try: socket.create_connection((host, port), 1); won.append((host, port))
        except OSError: pass
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("the bridge carries nothing to unix sockets, other proxies' methods, or another run's token", async () => {
    visits.length = 0;
    const result = await exec(`
import socket
got = []
target = "127.0.0.1:${forbidden}"
for line in ("CONNECT %s HTTP/1.1\\r\\nHost: 127.0.0.1:${allowed}\\r\\n\\r\\n" % target, "CONNECT unix:/run/docker.sock HTTP/1.1\\r\\n\\r\\n", "CONNECT /run/docker.sock:80 HTTP/1.1\\r\\n\\r\\n",
             "GET http://unix:/tmp/x.sock:/ HTTP/1.1\\r\\n\\r\\n", "GET file:///etc/passwd HTTP/1.1\\r\\n\\r\\n", "GET /etc/passwd HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n" % target,
             "DRYDOCK other-token\\nCONNECT %s HTTP/1.1\\r\\n\\r\\n" % target, "CONNECT 127.0.0.1:${allowed}\\r\\nHost: x HTTP/1.1\\r\\n\\r\\n",
             "GET http://127.0.0.1:${allowed}/ HTTP/1.1\\r\\nHost: %s\\r\\nContent-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET http://%s/ HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n" % (target, target, target),
             "\\x05\\x01\\x00", "\\x04\\x01" + "\\0" * 8, "PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n"):
    with socket.create_connection(("127.0.0.1", 3128), 2) as s:
        s.settimeout(2)
        s.sendall(line.encode("latin1"))
        s.shutdown(socket.SHUT_WR)
        data = b""
        try:
            while chunk := s.recv(65536): data += chunk
        except OSError: pass
        got.append(data.decode("latin1"))
result = got
`);
    expect(result.error?.code ?? "policy.network_denied").toBe("policy.network_denied");
    expect(saidBy(result)).not.toContain("hello from forbidden");
    expect(saidBy(result)).not.toContain("root:");
    expect(visits.filter((visit) => visit.startsWith("forbidden"))).toEqual([]);
  });

  test("the proxy's token is neither in the code's memory nor in its bridge's reach", async () => {
    const result = await exec(`
import os, re, subprocess
won = []
for pid in [p for p in os.listdir("/proc") if p.isdigit()]:
    for name in ("environ", "cmdline"):
        try: text = open("/proc/%s/%s" % (pid, name), "rb").read()
        except OSError: continue
        if re.search(rb"DRYDOC[K] [\\w-]{32}|egress.*soc[k]", text): won.append((pid, name))
    if int(pid) != os.getpid():
        try: os.listdir("/proc/%s/fd" % pid); won.append((pid, "fd"))
        except OSError: pass
        try: open("/proc/%s/mem" % pid, "rb"); won.append((pid, "mem"))
        except OSError: pass
with open("/proc/self/mem", "rb", 0) as memory:
    for line in open("/proc/self/maps"):
        span, mode = line.split()[:2]
        if mode[0] != "r" or "[v" in line: continue
        start, end = (int(x, 16) for x in span.split("-"))
        try:
            memory.seek(start)
            if re.search(rb"\\"toke[n]\\": ?\\"[\\w-]{32}\\"", memory.read(end - start)): won.append("token")
        except (OSError, ValueError, OverflowError): pass
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("Node, curl and fetch are held to the same rule", async () => {
    visits.length = 0;
    const node = await exec(
      `const urls = ["http://127.0.0.1:${forbidden}/", "http://localhost:${forbidden}/", "http://127.0.0.1:${allowed}/"];
       for (const url of urls) { try { const r = await fetch(url); console.log(r.status, await r.text()); } catch {} }`,
      { language: "node" },
    );
    const curl = await exec(
      `curl -sm 3 http://127.0.0.1:${forbidden}/; curl -sm 3 --noproxy '*' http://127.0.0.1:${forbidden}/; curl -sm 3 --proxy socks5://127.0.0.1:3128 http://127.0.0.1:${forbidden}/; true`,
      { language: "bash" },
    );
    expect(saidBy(node) + saidBy(curl)).not.toContain("hello from forbidden");
    expect(visits.filter((visit) => visit.startsWith("forbidden"))).toEqual([]);
  });

  test("a run can't ask for more network than the owner allows", async () => {
    const result = await closed.attack("print(1)", { policy: { network: { allow: [`127.0.0.1:${allowed}`] } } });
    expect(result).toMatchObject({ ok: false, stdout: "", error: { code: "policy.network_denied" } });
  });
});
