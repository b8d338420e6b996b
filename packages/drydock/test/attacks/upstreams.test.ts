import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENT, openUpstreamDock, withUpstreams } from "../upstreams/upstream-dock.ts";

const test = openUpstreamDock();
const attack = (code: string, ...upstreams: string[]) =>
  test.python(`${CLIENT}${code}`, {
    unsafe: true,
    ...withUpstreams(...(upstreams.length > 0 ? upstreams : ["openai"])),
  });

/**
 * Looks through all that code can read of itself and its surroundings for what has the form of the key. The search does not
 * know the key, only its hash, so that it can't find itself.
 */
const SEARCH = `
import hashlib, re, subprocess
form = re.compile(rb"Kq/[0-9a-f]{36}[+]x=")
found, looked = [], {}
def look(place, data):
    looked[place.split(" ")[0]] = looked.get(place.split(" ")[0], 0) + len(data)
    if any(hashlib.sha256(each).hexdigest() == HASH for each in form.findall(data)): found.append(place)
def read(path, size=1 << 22):
    try:
        with open(path, "rb") as file: return file.read(size)
    except OSError: return b""
ask("GET", "http://openai.dock/v1/models")
look("environment", repr(os.environ).encode() + subprocess.run(["env"], capture_output=True).stdout)
for root, dirs, files in os.walk("/"):
    if root.startswith(("/sys", "/usr", "/lib", "/proc")): dirs.clear(); continue
    for path in [os.path.join(root, name) for name in files]:
        if os.path.isfile(path): look("files " + path, read(path))
for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
    for name in ("environ", "cmdline", "maps", "net/tcp", "net/unix", "stack"): look("proc " + name, read(f"/proc/{pid}/{name}"))
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps.readlines():
                start, end = (int(at, 16) for at in line.split()[0].split("-"))
                if line.split()[1][0] != "r" or end - start > 1 << 26: continue
                try:
                    memory.seek(start)
                    look("memory", memory.read(end - start))
                except (OSError, ValueError, OverflowError): pass
    except OSError: pass
result = {"found": found, "looked": looked}
`;

describe("the key", () => {
  it("is nowhere inside: environment, files, memory, /proc", async () => {
    const run = await attack(`HASH = "${hash("sha256", test.key)}"\n${SEARCH}`);
    expect(run.error).toBeNull();
    expect(test.server.seen).toMatchObject([{ headers: { authorization: `Bearer ${test.key}` } }]);
    const { found, looked } = run.result as { found: string[]; looked: Record<string, number> };
    expect(found).toEqual([]);
    for (const place of ["environment", "files", "proc", "memory"]) expect(looked[place], place).toBeGreaterThan(100);
    // A variable that the policy lets in holds the key, and stays outside all the same.
    expect(run.notes).toContain("not passed on, because they hold the key of an upstream: TEST_UPSTREAM_KEY");
  });

  it("is found by the same search where it is let in", async () => {
    const code = `${CLIENT}ask = lambda *_: None\nHASH = "${hash("sha256", test.key)}"\n${SEARCH}`;
    const run = await test.python(code, { unsafe: true });
    const { found } = run.result as { found: string[] };
    expect(found).toEqual(expect.arrayContaining(["environment", "memory"]));
  });

  it.each(["echo", "echo-pieces", "echo-zipped"])("is taken out of an answer that repeats it: %s", async (name) => {
    const run = await attack(`ask("GET", "http://openai.dock/v1/models/${name}")`);
    const [status, text, headers] = run.result as [number, string, Record<string, string>];
    expect([status, text]).toEqual([200, "[key]\n[key]\n[key]"]);
    expect(headers["x-echo"]).toBe("Bearer [key]");
    expect(headers["set-cookie"]).toBeUndefined();
  });

  it("does not come in an encoding that nobody can search", async () => {
    expect((await attack(`ask("GET", "http://openai.dock/v1/models/echo-strange")[0]`)).result).toBe(502);
  });

  it("is in no record, and in no file of the home", async () => {
    const run = await attack(`print(ask("GET", "http://openai.dock/v1/models/echo"))`);
    expect(JSON.stringify(await test.dock.runs.events(run.runId))).not.toContain(test.key);
    const files = readdirSync(test.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes(test.key), name).toBe(false);
    }
  });

  it("is not used where its file lies in the workspace, or others can read it", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    const config = join(test.home, "config.yaml");
    const before = readFileSync(config, "utf8");
    const file = join(workspace, "key");
    writeFileSync(file, "a-key-in-the-workspace", { mode: 0o600 });
    writeFileSync(config, `${before}  inside: { preset: openai, keyFile: ${file} }\n`);
    const run = await test.python("1", { workspace, ...withUpstreams("inside") });
    expect(run.error).toMatchObject({ code: "policy.path_denied" });
    writeFileSync(config, before);
    mkdirSync(join(test.directory, "open"), { recursive: true });
    writeFileSync(join(test.directory, "open/key"), "a-key-for-everybody", { mode: 0o644 });
    writeFileSync(config, `${before}  open: { preset: openai, keyFile: ${join(test.directory, "open/key")} }\n`);
    expect((await test.python("1", withUpstreams("open"))).error).toMatchObject({ code: "upstream.unavailable" });
    writeFileSync(config, before);
  });
});

describe("a path that tries to get past the rules", () => {
  it.each([
    "/v1/../admin",
    "/v1/models/../../admin",
    "/v1/models/%2e%2e/admin",
    "/v1/models/%2E%2E%2Fadmin",
    "/v1/models/..%2fadmin",
    "/v1/models/%252e%252e/admin",
    "/v1/models/..;/admin",
    "/v1/models/.",
    "/v1/models//admin",
    "/v1//models",
    "/v1/models/x%00y",
    "/v1/models/..%5cadmin",
    "/v1/models/x\\..\\admin",
    "/v1/models/%zz",
    "/V1/models",
    "/v1/models/",
    "/v1/models/a/b",
    "/admin",
    "/",
    "//evil.org/v1/models",
  ])("%s does not reach the upstream", async (path) => {
    const run = await attack(
      `[send("GET http://openai.dock" + P + " HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")[:12],
       send("GET /openai.dock" + P + " HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")[:12]]`.replaceAll(
        "P ",
        `${JSON.stringify(path)} `,
      ),
    );
    for (const answer of run.result as string[]) expect(answer).toMatch(/^HTTP\/1\.1 40[03]$/);
    expect(test.server.seen).toEqual([]);
  });
});

describe("a request made to be read in two ways", () => {
  const HEAD = "POST http://openai.dock/v1/chat/completions HTTP/1.1\r\nHost: x\r\n";
  it.each([
    ["both lengths", `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ["two lengths", `${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`, 400],
    ["a folded header", `${HEAD}X-A: b\r\n authorization: c\r\n\r\n`, 400],
    ["a bare line feed", `${HEAD}X-A: b\nAuthorization: c\r\n\r\n`, 400],
    ["a tunnel to it", "CONNECT openai.dock:443 HTTP/1.1\r\nHost: x\r\n\r\n", 403],
    ["a tunnel to its plain port", "CONNECT openai.dock:80 HTTP/1.1\r\nHost: x\r\n\r\n", 403],
    ["another port", "GET http://openai.dock:8080/v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 403],
    ["a user before it", "GET http://a@openai.dock/v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 403],
    ["a dot behind it", "GET http://openai.dock./v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 403],
    ["TLS in its address", "GET https://openai.dock/v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["a Host header alone", "GET /v1/models HTTP/1.1\r\nHost: openai.dock\r\nConnection: close\r\n\r\n", 400],
    [
      "a Host header of another",
      "GET http://evil.org/v1/models HTTP/1.1\r\nHost: openai.dock\r\nConnection: close\r\n\r\n",
      403,
    ],
    ["huge headers", `GET http://openai.dock/v1/models HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(40_000)}\r\n\r\n`, 431],
  ])("%s does not reach the upstream", async (_name, bytes, status) => {
    const run = await attack(`send(bytes.fromhex("${Buffer.from(bytes).toString("hex")}").decode("latin1"))[:12]`);
    expect(run.result).toBe(`HTTP/1.1 ${status}`);
    expect(test.server.seen).toEqual([]);
  });

  it("headers that carry a key of the run's own, or ask for another method or path, stay behind", async () => {
    const headers = {
      ...{ Authorization: "Bearer own", "X-Api-Key": "own", X_Api_Key: "own", Cookie: "own=1", "Api-Key": "own" },
      ...{ "X-HTTP-Method-Override": "DELETE", "X-Original-URL": "/admin", "X-Rewrite-URL": "/admin" },
      ...{ "X-Forwarded-Host": "own.org", Forwarded: "host=own.org", Kept: "yes" },
      ...{ Range: "bytes=0-5;own", "Accept-Charset": "utf-16;own", Upgrade: "own-socket" },
      Connection: "close, authorization, upgrade",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\\r\\n`);
    await attack(`send("GET http://openai.dock/v1/models HTTP/1.1\\r\\nHost: own.org\\r\\n${lines.join("")}\\r\\n")`);
    const [seen] = test.server.seen;
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${test.key}`, kept: "yes" });
    expect(JSON.stringify(seen?.headers)).not.toMatch(/own|DELETE|admin/);
  });

  it("a second request inside of a body is a body", async () => {
    const inner = "DELETE /v1/models/x HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n";
    await attack(
      `inner = "${inner}"
send(f"POST http://other.dock/files/a HTTP/1.1\\r\\nHost: x\\r\\nConnection: content-length, close\\r\\nContent-Length: {len(inner)}\\r\\n\\r\\n{inner}")`,
      "other",
    );
    expect(test.server.seen.map(({ method }) => method)).toEqual(["POST"]);
  });
});

it("a run without upstreams, at the same time, does not reach those of another", async () => {
  const [having, lacking] = await Promise.all([
    attack(`import time; time.sleep(1); ask("GET", "http://openai.dock/v1/models")[0]`),
    test.python(
      `${CLIENT}[ask("GET", url)[0] for url in ("http://anthropic.dock/v1/models", "http://127.0.0.1:3128/anthropic.dock/v1/models")]`,
      withUpstreams("other"),
    ),
  ]);
  expect([having.result, lacking.result]).toEqual([200, [403, 403]]);
  expect(test.server.seen).toHaveLength(1);
});

it("closing the connection before the usage comes does not make a request free", async () => {
  const run = await attack(
    `
body = json.dumps({"model": "gpt-5", "stream": True, "messages": [{"role": "user", "content": "x" * 35000}]})
s = socket.create_connection(("127.0.0.1", 3128), 5)
s.sendall(f"POST http://openai.dock/v1/chat/completions HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}".encode())
s.recv(200)
s.close()
import time; time.sleep(1)`,
  );
  const events = await test.dock.runs.events(run.runId);
  const [use] = events.filter(({ type }) => type === "upstream.requested").map(({ data }) => data);
  expect(use).toMatchObject({ estimated: true });
  expect(Number(use?.inputTokens)).toBeGreaterThan(9000);
});
