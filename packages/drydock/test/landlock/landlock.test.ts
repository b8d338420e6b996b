import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecOptions } from "drydock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { attacksOn, BOMBS, survivorsWith } from "../backends/backend-attacks.ts";
import { type ExecResult, execWithoutNamespaces, possibleSituations } from "./without-namespaces.ts";

const LANDLOCK =
  "version: 1\nsandbox: { level: landlock }\nnetwork: { allow: { default: [], max: ['example.org:443'] } }\n";
const directory = mkdtempSync(join(tmpdir(), "drydock-landlock-"));
const outside = join(directory, "outside");
const canary = join(outside, "canary.txt");
const secret = randomBytes(12).toString("hex");
const marker = `landlock-survivor-${process.pid}`;
const servers: Server[] = [];
let callers = 0;

async function listen(at: string | number): Promise<Server> {
  const server = createServer((socket) => {
    callers++;
    socket.destroy();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(at as number, resolve));
  return server;
}

beforeAll(() => {
  chmodSync(directory, 0o755);
  mkdirSync(outside, { mode: 0o777 });
  writeFileSync(canary, secret, { mode: 0o644 });
  process.env.LANDLOCK_CANARY = secret;
});
afterAll(() => {
  for (const server of servers) server.close();
  delete process.env.LANDLOCK_CANARY;
  rmSync(directory, { recursive: true, force: true });
});

describe.each(possibleSituations())("%s", (situation) => {
  let results: Record<string, ExecResult>;
  let workspace: string;
  let before: { mode: number; mtimeMs: number; names: string[] };
  const look = () => {
    const { mode, mtimeMs } = statSync(canary);
    return { mode, mtimeMs, names: readdirSync(outside).sort() };
  };

  beforeAll(async () => {
    workspace = mkdtempSync(join(directory, "workspace-"));
    chmodSync(workspace, 0o755);
    mkdirSync(join(workspace, "d"));
    for (const [name, text] of Object.entries({ "a.txt": "a", "gone.txt": "g", ".env": secret, "d/e.txt": "e" }))
      writeFileSync(join(workspace, name), text);
    const tcp = await listen(0);
    const socket = join(outside, `${randomBytes(4).toString("hex")}.sock`);
    await listen(socket);
    before = look();
    const port = (tcp.address() as AddressInfo).port;
    const requests: Record<string, ExecOptions> = {
      python: { language: "python", code: "import sys\nprint(1)\nprint(2, file=sys.stderr)\nresult = {'a': 1}" },
      node: { language: "node", code: "console.log(1); require('fs').writeFileSync('made', 'x'); ({ a: 1 })" },
      bash: { language: "bash", code: "read line; echo $line | tr a b; python3 -c 'print(3)'; exit 3", stdin: "aa\n" },
      long: { language: "bash", code: `${"# filler\n".repeat(20_000)}echo end` },
      temporary: {
        language: "python",
        code: "import os, tempfile\nwith tempfile.NamedTemporaryFile() as f: result = f.name.startswith(os.environ['TMPDIR'])",
      },
      pandas: {
        language: "python",
        code: "import pandas as pd\nint(pd.DataFrame({'a': [1, 1], 'b': [2, 3]}).groupby('a').b.sum().iloc[0])",
      },
      layer: {
        language: "bash",
        code: "cat .env; echo b >> a.txt; rm gone.txt; mkdir n; echo 1 > n/x; ls -A",
        workspace,
      },
      network: { language: "python", code: "1", policy: { network: { allow: ["example.org:443"] } } },
      ...attacksOn({ canary, directory: outside, pid: process.pid, port, socket, marker }),
      ...Object.fromEntries(Object.entries(BOMBS).map(([name, { request }]) => [name, request])),
      ...survivorsWith(marker),
      last: { language: "python", code: "print('still here')" },
    };
    results = await execWithoutNamespaces(situation, directory, LANDLOCK, requests);
  }, 120_000);

  const resultOf = (name: string) => {
    const result = results[name];
    if (!result) throw new Error(`no result for ${name}`);
    return result;
  };

  test("runs are executed and each says that Landlock is all that holds it", () => {
    expect(resultOf("python")).toMatchObject({ ok: true, stdout: "1\n", stderr: "2\n", result: { a: 1 } });
    expect(resultOf("node")).toMatchObject({ ok: true, stdout: "1\n", result: { a: 1 } });
    expect(resultOf("bash")).toMatchObject({ stdout: "bb\n3\n", error: { code: "code.exit", exitCode: 3 } });
    expect(resultOf("long")).toMatchObject({ ok: true, stdout: "end\n" });
    expect(resultOf("temporary")).toMatchObject({ ok: true, result: true });
    expect(resultOf("pandas")).toMatchObject({ ok: true, result: 5 });
    for (const name of ["python", "node", "bash", "last"]) {
      expect(resultOf(name).sandbox).toEqual({ backend: "namespaces", level: "landlock" });
      expect(resultOf(name).notes.join()).toContain("no namespaces");
    }
  });

  test("a workspace is copied: hidden files are not there, changes are told, the directory stays as it is", () => {
    const { changes, stdout, error } = resultOf("layer");
    expect(error).toBeNull();
    expect(stdout.split("\n").filter(Boolean)).toEqual(["a.txt", "d", "n"]);
    expect(changes).toEqual([
      { path: "a.txt", kind: "changed" },
      { path: "gone.txt", kind: "deleted" },
      { path: "n/x", kind: "added" },
    ]);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a");
  });

  test("what this level can't give is refused: the network and sessions", () => {
    expect(resultOf("network").error).toMatchObject({ code: "sandbox.level", reached: "landlock" });
    expect(results.session).toBe("sandbox.unavailable");
  });

  test("the doctor says what holds the runs, and what would do better", () => {
    const level = { level: "landlock", sandbox: { state: "limited", remedy: expect.stringContaining("sysctl") } };
    expect(results.doctor).toMatchObject({ ok: true, ...level });
  });

  const target = { canary, directory: outside, pid: 0, port: 0, socket: "", marker };
  test.each(Object.keys(attacksOn(target)))("an attack gets nowhere: %s", (name) => {
    expect(resultOf(name)).toMatchObject({ ok: true, result: [] });
    expect(JSON.stringify(resultOf(name))).not.toContain(secret);
  });

  test("after all attacks the host's file is as it was, and nobody called", () => {
    expect(readFileSync(canary, "utf8")).toBe(secret);
    expect(look()).toEqual(before);
    expect(callers).toBe(0);
  });

  test.each(Object.keys(BOMBS))("a limit ends %s", (name) => {
    expect(BOMBS[name]?.codes).toContain(resultOf(name).error?.code);
  });

  test("nothing outlives its run, and the sandbox goes on", async () => {
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
    expect(resultOf("last")).toMatchObject({ ok: true, stdout: "still here\n" });
  });

  test("with the default policy nothing runs, and the answer says why and what to do", async () => {
    const { only } = await execWithoutNamespaces(situation, directory, undefined, {
      only: { language: "python", code: "1" },
    });
    expect(only?.error).toMatchObject({ code: "sandbox.unavailable", missing: "namespaces" });
    expect(only?.error?.message).toContain("namespaces can't be made");
    expect(only?.error?.hint).toMatch(/sysctl.*sandbox\.level landlock/);
  });
});
