import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

/** What arrived, one text for each connection. */
const arrived = { allowed: [] as string[], forbidden: [] as string[] };
const ports = { allowed: 0, forbidden: 0 };
const servers: Server[] = [];

/** Speaks no HTTP of its own, so that everything that the proxy sends is seen as it was sent. */
async function listen(name: "allowed" | "forbidden"): Promise<void> {
  const server = createServer((socket) => {
    const at = arrived[name].push("") - 1;
    socket.on("error", () => {});
    socket.on("data", (data) => {
      arrived[name][at] += data.toString("latin1");
      const away = /^GET \/away /.test(arrived[name][at] ?? "");
      const head = away ? `302 Found\r\nLocation: http://127.0.0.1:${ports.forbidden}/` : "200 OK";
      socket.end(`HTTP/1.1 ${head}\r\nContent-Length: ${name.length}\r\nConnection: close\r\n\r\n${name}`);
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ports[name] = (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  await listen("allowed");
  await listen("forbidden");
});
afterAll(() => {
  for (const server of servers) server.close();
});

const it = openAttackDock(`version: 1
network: { allow: ["127.0.0.1:*"] }
`);
/** With the default limits a run is plain: the lookout attends it, as root, and not pid 1. */
const KINDS = [
  { kind: "with limits of its own", limits: {} },
  { kind: "with the default limits", limits: { memoryMb: 512, diskMb: 512, processes: 64 } },
];

const SEND = `
import socket
def send(text, close=True):
    with socket.create_connection(("127.0.0.1", 3128), 5) as s:
        s.settimeout(5)
        try:
            s.sendall(text if isinstance(text, bytes) else text.encode("latin1"))
            if close: s.shutdown(socket.SHUT_WR)
            data = b""
            while chunk := s.recv(65536): data += chunk
        except OSError: pass
        return data.decode("latin1")
`;

/** Each tries to get a request to the forbidden port past the proxy; A is the address that is allowed, F the other one. */
const REQUESTS = String.raw`
G, E = " HTTP/1.1\r\n", "\r\n\r\n"
SECOND = "GET http://" + F + "/ HTTP/1.1\r\nHost: " + F + E
def body(headers, text): return "POST http://" + A + "/" + G + "Host: " + A + "\r\n" + headers + E + text
requests = [
    "GET http://" + A + "/" + G + "Host: " + F + E,
    "GET http://" + A + "/" + G + "Host: " + A + "\r\nHost: " + F + E,
    "GET http://" + A + "/" + G + "Host: " + A + E + SECOND,
    "GET http://" + A + "/" + G + "X: a\r\n b\r\n\tHost: " + F + E,
    "GET http://" + A + "/ HTTP/1.1\nHost: " + A + "\n\n" + SECOND.replace("\r", ""),
    "GET http://" + A + "/" + G + "X: a\rHost: " + F + E, "GET http://" + A + "/" + G + "X: a\0b" + E,
    body("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n" + SECOND),
    body("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n" + SECOND),
    body("Transfer-Encoding : chunked", "0\r\n\r\n" + SECOND), body("Transfer-Encoding:\x0bchunked", "0\r\n\r\n" + SECOND),
    body("Transfer-Encoding: chunked, identity", "0\r\n\r\n" + SECOND), body("Transfer-Encoding: xchunked", "0\r\n\r\n" + SECOND),
    body("Transfer-Encoding: chunked", "0;\n\r\n\r\n" + SECOND), body("Transfer-Encoding: chunked", "0x0\r\n\r\n" + SECOND),
    body("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\nHost: " + F + "\r\n\r\n" + SECOND),
    body("Content-Length: 5\r\nContent-Length: 0", SECOND), body("Content-Length: 5, 0", SECOND), body("Content-Length: +5", SECOND),
    body("Content-Length: 0\r\nConnection: content-length", SECOND), body("Connection: host, content-length\r\nContent-Length: 3", "abc" + SECOND),
    body("Expect: 100-continue\r\nContent-Length: 3", "abc" + SECOND),
    "GET http://" + A + "/" + G + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13" + E + SECOND,
    "GET http://" + A + "/" + G + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA" + E + SECOND,
    "CONNECT " + F + G + "Host: " + A + E, "CONNECT http://" + F + "/" + G + E, "CONNECT " + A + "@" + F + G + E, "CONNECT " + A + "," + F + G + E,
    "CONNECT " + A + " " + F + G + E, "CONNECT 127.0.0.1.:" + FP + G + E, "CONNECT [::ffff:127.0.0.1]:" + FP + G + E, "CONNECT [::ffff:7f00:1]:" + FP + G + E,
    "CONNECT [::1%25lo]:" + FP + G + E, "CONNECT [fe80::1%lo]:" + FP + G + E, "CONNECT 127.0.0.1:0" + AP + G + E, "CONNECT 127.0.0.1:" + FP + "#:" + AP + G + E,
    "CONNECT LOCALHOST:" + FP + G + E, "CONNECT xn--127-0-0-1:" + FP + G + E, "CONNECT \xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1:" + FP + G + E,
    "CONNECT 127.0.0.1:" + str(int(AP) + 65536) + G + E, "CONNECT 127.0.0.1:" + str(int(FP) + 65536) + G + E, "CONNECT 127.0.0.1" + G + E, "CONNECT :" + FP + G + E,
    *["GET " + url + G + "Host: " + A + E for url in (
        "http://" + A + "@" + F + "/", "http://" + F + "#@" + A + "/", "http://" + A + "\\@" + F + "/", "http://" + A + "%2f@" + F + "/", "http:" + F + "/",
        "http:///" + F + "/", "http:\\\\" + F + "/", "//" + F + "/", "https://" + F + "/", "ws://" + F + "/", "HTTP://" + F + "/", "http://" + F + "?" + A, "http://" + F,
        "http://" + A + "\t@" + F + "/", "http://127.0.0.1:" + AP + ":" + FP + "/", "http://2130706433:" + FP + "/", "http://0x7f000001:" + FP + "/", "http://[::]:" + FP + "/")],
    "GET http://" + F + "/\r\n\r\n", "GET http://" + A + "/ HTTP/1.1 HTTP/1.1\r\nHost: " + F + E, "GET http://" + A + "/ HTTP/2.0" + E + SECOND,
    "\r\n\r\n" + SECOND, "PROXY TCP4 127.0.0.1 127.0.0.1 1 " + FP + "\r\n" + SECOND, "OPTIONS *" + G + E + SECOND, "TRACE http://" + F + "/" + G + "Max-Forwards: 0" + E,
    "GET http://" + A + "/" + G + "X: " + "a" * 100000 + E + SECOND, "GET http://" + A + "/" + G + "".join("X%d: a\r\n" % i for i in range(5000)) + E + SECOND,
    "GET http://" + A + "/" + "a" * 100000 + G + E + SECOND,
]
`;

describe.each(KINDS)("a run $kind that may reach one port", ({ limits: own }) => {
  const exec = (code: string) =>
    it.attack(code, {
      policy: { network: { allow: [`127.0.0.1:${ports.allowed}`] } },
      limits: { wallSeconds: 60, ...own },
    });
  beforeEach(() => {
    arrived.allowed.length = arrived.forbidden.length = 0;
  });

  test("reaches no other one by any request that two readers could take differently", async () => {
    const { allowed, forbidden } = ports;
    const result = await exec(
      `${SEND}\nA, F, AP, FP = "127.0.0.1:${allowed}", "127.0.0.1:${forbidden}", "${allowed}", "${forbidden}"\n${REQUESTS}\nanswers = [send(each) for each in requests]\nprint(len(answers))`,
    );
    expect(result.stdout).toMatch(/^\d\d\n$/);
    expect(arrived.forbidden).toEqual([]);
    // Of what was let through, each connection has one request, with the host of its request line.
    expect(arrived.allowed.length).toBeGreaterThan(3);
    for (const text of arrived.allowed.filter((each) => each !== "")) {
      expect(text.match(/ HTTP\/1\.1\r\n/g) ?? []).toHaveLength(1);
      expect(text.split("\r\n\r\n")[0]?.match(/^host:.*$/gim)).toEqual([`Host: 127.0.0.1:${allowed}`]);
    }
  });

  test("is not led elsewhere by a redirection of the host that it may reach", async () => {
    const result = await exec(
      `import urllib.request\ntry: urllib.request.urlopen("http://127.0.0.1:${ports.allowed}/away", timeout=5); print("followed")\nexcept OSError as error: print(error)`,
    );
    expect(result.stdout).toContain("403");
    expect(saidBy(result)).not.toContain("followed");
    expect(arrived.forbidden).toEqual([]);
  });

  test("does not keep the proxy from others, with heads that never end and connections by the hundred", async () => {
    let text = "";
    const { promise: ready, resolve: hear } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    async function* input() {
      yield "";
      await ended;
    }
    const attack = it.attack(
      `${SEND}
import sys
held = []
for number in range(70):
    s = socket.create_connection(("127.0.0.1", 3128), 5)
    s.sendall(b"GET http://127.0.0.1:${ports.allowed}/ HTTP/1.1\\r\\nX: "); held.append(s)
for _ in range(150):
    s = socket.socket(); s.setblocking(False); s.connect_ex(("127.0.0.1", 3128)); s.close()
print("ready", flush=True); sys.stdin.read()
`,
      {
        policy: { network: { allow: [`127.0.0.1:${ports.allowed}`] } },
        limits: { wallSeconds: 120, openFiles: 1024, ...own },
        stdin: input(),
        onOutput: (chunk) => {
          text += chunk.text;
          if (text.includes("ready")) hear();
        },
      },
    );
    await Promise.race([ready, attack]);
    const other = await exec(
      `import urllib.request\nresult = urllib.request.urlopen("http://127.0.0.1:${ports.allowed}/", timeout=60).read().decode()`,
    );
    end();
    expect(other).toMatchObject({ ok: true, result: "allowed" });
    expect((await attack).stdout).toBe("ready\n");
  });
});
