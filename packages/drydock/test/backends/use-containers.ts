import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock, type ExecOptions } from "drydock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, findTestEngine } from "./test-engines.ts";

const CHANGES = `
import os
print(sorted(os.listdir(".")), os.path.exists(".env"), open("a.txt").read())
open("a.txt", "a").write(" and new")
os.remove("below/gone.txt")
os.mkdir("made")
open("made/b.txt", "w").write("b")
try: open(".git/config", "w")
except OSError as error: print(error.strerror)
result = {"answer": 42}
`;

/** What every container backend does. In the short form, only the test that covers most. */
export function useContainers(backend: string, isShort = false): void {
  const directory = mkdtempSync(join(tmpdir(), "drydock-containers-"));
  const workspace = join(directory, "workspace");
  const secret = randomBytes(8).toString("hex");
  let engine: Engine | undefined;
  let server: Server;
  let host: string;
  let dock: Dock;

  async function open(name: string, sandbox: object): Promise<Dock> {
    const home = join(directory, name);
    mkdirSync(home, { mode: 0o700 });
    const policy = { version: 1, sandbox, network: { allow: { default: [], max: [host] } } };
    writeFileSync(join(home, "policy.yaml"), JSON.stringify(policy));
    return createDock({ home, warm: 0 });
  }

  beforeAll(async () => {
    engine = findTestEngine(backend, directory);
    if (engine?.missing) process.stderr.write(`${backend} can't run here: ${engine.missing}\n`);
    mkdirSync(join(workspace, "below"), { recursive: true });
    mkdirSync(join(workspace, ".git"));
    for (const [name, text] of Object.entries({
      "a.txt": "old",
      ".env": secret,
      ".git/config": "c",
      "below/gone.txt": "g",
    }))
      writeFileSync(join(workspace, name), text);
    server = createServer((_request, response) => response.end("from outside"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env.CONTAINER_CANARY = secret;
    dock = await open("home", { backends: [backend] });
  });
  afterAll(async () => {
    await dock?.close();
    engine?.restore();
    server?.close();
    delete process.env.CONTAINER_CANARY;
    rmSync(directory, { recursive: true, force: true });
  });

  async function run(request: ExecOptions) {
    const result = await dock.exec(request);
    expect(result.sandbox, result.error?.message).toEqual({ backend, level: "cgroups" });
    expect(JSON.stringify(result)).not.toContain(secret);
    return result;
  }

  test("change a workspace as namespaces do: the same layer, and the directory itself stays", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const usual = await open("usual", { backends: ["namespaces"] });
    try {
      const request: ExecOptions = { language: "python", code: CHANGES, workspace };
      const [contained, expected] = [await run(request), await usual.exec(request)];
      const facts = ({ ok, stdout, stderr, result, error, changes, treeHash, notes }: typeof expected) => {
        return { ok, stdout, stderr, result, error, changes, treeHash, notes };
      };
      expect(facts(contained)).toEqual(facts(expected));
      expect(contained).toMatchObject({
        ok: true,
        result: { answer: 42 },
        stdout: expect.stringContaining("Read-only"),
      });
      expect(contained.changes).toHaveLength(3);
      expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("old");
      expect(readdirSync(workspace).sort()).toEqual([".env", ".git", "a.txt", "below"]);
    } finally {
      await usual.close();
    }
  });

  if (isShort) return;

  test("give programs their input, a clean environment, and their output as it comes", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const heard: string[] = [];
    const onOutput = ({ stream, text }: { stream: string; text: string }) => {
      if (stream === "stdout") heard.push(text);
    };
    const code = "cat; env | cut -d= -f1 | sort | tr '\\n' ' '; echo oops >&2; exit 3";
    const bash = await run({ language: "bash", code, stdin: "given ", onOutput });
    expect(bash).toMatchObject({ stderr: "oops\n", error: { code: "code.exit", exitCode: 3 } });
    expect(bash.stdout).toBe("given HOME LANG LOGNAME MPLBACKEND MPLCONFIGDIR PATH PWD SHLVL TMPDIR USER _ ");
    expect(heard.join("")).toBe(bash.stdout);
    expect(await run({ language: "node", code: "console.log('node'); 40 + 2" })).toMatchObject({
      stdout: "node\n",
      result: 42,
    });
  });

  test("hold the limits that code meets by itself", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const limited = async (code: string, limits: object) =>
      (await run({ language: "python", code, unsafe: true, policy: { limits } })).error?.code;
    expect(await limited("print('x', flush=True)\nwhile True: pass", { cpuSeconds: 0.5 })).toBe("limit.cpu");
    expect(await limited("while True: print('x' * 1000)", { outputMb: 0.1 })).toBe("limit.output");
    expect(await limited("f = []\nwhile True: f.append(open('/dev/null'))", { openFiles: 64 })).toBe("limit.files");
  });

  test("reach the hosts that are allowed, by way of the proxy, and no other", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const fetch = (address: string) =>
      `import urllib.request as u\nprint(u.urlopen("http://${address}", timeout=5).read().decode())`;
    const policy = { network: { allow: [host] } };
    expect(await run({ language: "python", code: fetch(host), policy })).toMatchObject({ stdout: "from outside\n" });
    expect(await run({ language: "python", code: fetch("127.0.0.1:1"), policy })).toMatchObject({
      error: { code: "policy.network_denied" },
    });
    expect((await run({ language: "python", code: fetch(host) })).ok).toBe(false);
  });

  test("are ended by who started them, and hold no sessions", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const stop = new AbortController();
    const cancelled = await run({
      language: "python",
      code: "import time\nprint('started', flush=True)\ntime.sleep(60)",
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(cancelled).toMatchObject({ stdout: "started\n", error: { code: "run.cancelled" } });
    await expect(dock.sessions.open()).rejects.toMatchObject({ code: "sandbox.unavailable" });
  });

  test("leave nothing behind when the dock closes", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const other = await open("other", { backends: [backend] });
    expect(await other.exec({ language: "python", code: "1" })).toMatchObject({ ok: true });
    const places = readdirSync("/tmp").filter((name) => name.startsWith("drydock-") && existsSync(`/tmp/${name}/root`));
    await other.close();
    const left = places.filter((name) => existsSync(`/tmp/${name}`));
    // Those of the other dock, and of other tests, are in use.
    expect(left.length).toBeLessThan(places.length);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain("/m1/s ");
  });
}
