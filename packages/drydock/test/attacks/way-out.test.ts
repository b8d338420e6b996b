import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const server = createServer((_request, response) => response.end("hello from allowed"));
let allowed = 0;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  allowed = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
});

const open = openAttackDock(`version: 1
network: { allow: ["localhost:*"] }
`);

describe("the way to the network", () => {
  test("takes no process before somebody connects, and then one", async () => {
    const result = await open.attack(`
import os, urllib.request
def fork():  # numbers are given in order
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
    return pid
pids = [fork(), fork()]
text = urllib.request.urlopen("http://localhost:${allowed}/late").read().decode()
pids.append(fork())
result = [text, pids[1] - pids[0], pids[2] - pids[1]]
`);
    expect(result).toMatchObject({ ok: true, result: ["hello from allowed", 1, 2] });
  });

  test("is closed or serves, and nothing hangs, where the code has taken up all processes before it connects", async () => {
    const result = await open.attack(
      `
import os, socket, time
children = 0
try:
    while children < 64:
        if os.fork() == 0: time.sleep(60); os._exit(0)
        children += 1
except OSError: pass
with socket.socket() as s:
    s.settimeout(5)
    try:
        s.connect(("127.0.0.1", 3128))
        s.sendall(b"CONNECT localhost:${allowed} HTTP/1.1\\r\\n\\r\\n")
        said = s.recv(100).decode()
    except TimeoutError: said = "hangs"
    except OSError: said = ""
result = said
`,
      { limits: { processes: 8 } },
    );
    // Where the code's own processes are counted apart, there is still room for it.
    expect(result).toMatchObject({ ok: true, result: expect.stringMatching(/^(?:$|HTTP)/) });
  });
});
