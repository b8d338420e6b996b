import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InstalledExtension } from "@drydock/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256, writeDemo } from "../../extensions/testing/demo-extension.ts";
import { runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
let place = "";
/** A server on loopback: files by their paths, and who asked for what. */
let server: Server;
let address = "";
const served = new Map<string, Buffer | { redirect: string }>();
const requests: string[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drydock-ext-cli-"));
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const found = served.get(request.url ?? "");
    if (!found) response.writeHead(404).end("no");
    else if (Buffer.isBuffer(found)) response.end(found);
    else response.writeHead(302, { location: found.redirect }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(place, { recursive: true, force: true });
});

describe("drydock ext", () => {
  it("scaffolds, lints, adds, shows, uses, disables and removes an extension", async () => {
    const directory = join(place, "first");
    expect(await runJson("ext", "new", "first", "--dir", place)).toEqual({ status: 0, value: { directory } });
    expect(await runJson("ext", "lint", directory)).toEqual({ status: 0, value: { ok: true, problems: [] } });
    const refused = await runCli("ext", "add", directory);
    expect(refused).toMatchObject({ status: 3, stdout: expect.stringContaining("tools     echo") });
    expect(refused.stderr).toContain("approve them in advance with --yes");
    expect(await runJson("ext", "add", directory, "--yes")).toMatchObject({ status: 0, value: { state: "enabled" } });
    expect((await runCli("ext", "list")).stdout).toMatch(/^first\s+0\.1\.0\s+enabled\s+\/first\s+Greets/m);
    expect((await runCli("ext", "info", "first")).stdout).toMatch(/state\s+enabled[\s\S]*hello \[who\][\s\S]*# first/);
    expect((await runCli("do", '/first hello "dear reader"')).stdout).toBe("Hello, dear reader!\n");
    const counted = await runCli("do", "/first hello you | /first count --longest 1");
    expect(JSON.parse(counted.stdout)).toEqual({ words: 2, different: 2, longest: ["hello"] });
    expect((await runCli("ext", "disable", "first")).stdout).toContain("disabled");
    expect(await runCli("do", "/first hello")).toMatchObject({ status: 3 });
    expect((await runCli("ext", "enable", "first")).status).toBe(0);
    expect((await runCli("do", "/first hello")).stdout).toBe("Hello, world!\n");
    expect((await runCli("ext", "remove", "first")).status).toBe(0);
    expect(await runCli("ext", "info", "first")).toMatchObject({ status: 2 });
    expect((await runCli("do", "/first hello")).stderr).toContain("extension.not_found");
  });

  it("lints with file, line, column and field, and status 2", async () => {
    const directory = await writeDemo(join(place, "wrong"), { risk: "hihg" });
    const reply = await runCli("ext", "lint", directory);
    expect(reply.status).toBe(2);
    expect(reply.stdout).toMatch(
      /^commands\.yaml:9:9: error: commands\[0\]\.actions\[0\]\.risk: must be one of low, medium, high/,
    );
    expect((await runCli("ext", "lint", join(place, "nowhere"))).status).toBe(2);
  });

  it("shows a changed extension as quarantined, what changed, and how to get out", async () => {
    await runCli("ext", "add", await writeDemo(join(place, "changed"), { id: "changed" }), "--yes");
    const { value } = await runJson("ext", "info", "changed");
    const script = join(String(value.directory), "tools/demo");
    await chmod(script, 0o755);
    await appendFile(script, "echo evil\n");
    const info = await runCli("ext", "info", "changed");
    expect(info.stdout).toMatch(
      /quarantined: tools\/demo changed since it was installed[\s\S]*drydock ext update changed/,
    );
    const used = await runCli("do", "/changed say hi");
    expect(used).toMatchObject({ status: 3, stdout: "" });
    expect(used.stderr).toContain("extension.quarantined");
    expect((await runCli("ext", "update", "changed")).status).toBe(0);
    expect((await runCli("do", "/changed say hi")).stdout).toBe("demo 1.0.0 hi\n");
    await runCli("ext", "remove", "changed");
  });

  it("asks on a terminal: only y is a yes, and Ctrl-C leaves nothing", async () => {
    const source = await writeDemo(join(place, "asked"), { id: "asked" });
    const ask = (type: string) =>
      runInTerminal(home(), ["ext", "add", source], { rows: 30, columns: 100, keys: [{ after: "[y/N]", type }] });
    expect(await ask("\r")).toMatchObject({ status: 3 });
    expect(await ask("\x03")).toMatchObject({ status: 130 });
    const ids = async () => {
      const { stdout } = await runCli("ext", "list", "--json");
      return (JSON.parse(stdout) as InstalledExtension[]).map(({ manifest }) => manifest.id);
    };
    expect(await ids()).not.toContain("asked");
    const agreed = await ask("y\r");
    expect(agreed).toMatchObject({ status: 0, screen: expect.stringContaining("asked 1.0.0 is installed") });
    expect(await ids()).toContain("asked");
    await runCli("ext", "remove", "asked");
  });

  it("shows text of an extension without letting it drive the terminal", async () => {
    const directory = await writeDemo(join(place, "painted"), { id: "painted" });
    const file = join(directory, "extension.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("description: For tests.", 'description: "a\\u001b[2Jb\\u202ec"'));
    const reply = await runCli("ext", "add", directory);
    expect(reply.stdout).toContain("a\\x1b[2Jb\\u202ec");
    expect(reply.stdout).not.toContain("\u001b[2J");
  });
});

describe("what drydock ext fetches", () => {
  const TOOL = '#!/bin/sh\necho "fetched $1"\n';
  const stepOf = (path: string, hash: string) =>
    `install:\n  - url: ${address}${path}\n    sha256: "${hash}"\n    to: tools/demo\n`;

  it("comes through the sandbox from the host that was agreed to, is on record, and works", async () => {
    served.set("/tool", Buffer.from(TOOL));
    const source = await writeDemo(join(place, "fetching"), { id: "fetching", install: stepOf("/tool", sha256(TOOL)) });
    const added = await runCli("ext", "add", source, "--yes");
    expect(added, added.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining(`${address}/tool`) });
    expect((await runCli("do", "/fetching say hi")).stdout).toBe("fetched hi\n");
    expect((await runCli("runs", "list")).stdout).toContain(`fetch ${address}/tool`);
    await runCli("ext", "remove", "fetching");
  });

  it("installs nothing where it is missing, something else, too much, or elsewhere", async () => {
    served.set("/other", Buffer.from("something else"));
    served.set("/away", { redirect: "http://localhost:1/tool" });
    const wrong = [
      ["/missing", /status 404/],
      ["/other", /SHA-256 is/],
      ["/away", /can't be fetched/],
    ] as const;
    for (const [path, expected] of wrong) {
      const source = await writeDemo(join(place, `wrong${path}`), { id: "wrong", install: stepOf(path, sha256(TOOL)) });
      const reply = await runCli("ext", "add", source, "--yes");
      expect(reply.status, path).toBeGreaterThan(0);
      expect(reply.stderr).toMatch(expected);
    }
    expect((await runCli("ext", "list")).stdout).not.toContain("wrong");
  });

  it("comes only from hosts that the owner's own policy names, where it names any", async () => {
    served.set("/tool", Buffer.from(TOOL));
    requests.length = 0;
    const source = await writeDemo(join(place, "ceiling"), { id: "ceiling", install: stepOf("/tool", sha256(TOOL)) });
    await runCli("policy", "set", "network.allow", "[example.org:443]");
    const refused = await runCli("ext", "add", source, "--yes");
    expect(refused).toMatchObject({ status: 3, stderr: expect.stringContaining("policy.network_denied") });
    expect(refused.stderr).toContain(`drydock policy allow network ${address.slice("http://".length)}`);
    expect(requests).toEqual([]);
    await rm(join(home(), "policy.yaml"));
  });

  it("can be an npm package, of which no script ever runs", async () => {
    await writeDemo(join(place, "npm/package"), {
      id: "packed",
      files: { "package.json": '{"name":"packed","version":"1.0.0","scripts":{"install":"touch /tmp/ran"}}' },
    });
    const bytes = execFileSync("tar", ["-cz", "-C", join(place, "npm"), "package"], { maxBuffer: 1e7 });
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const dist = { tarball: `${address}/packed/-/packed-1.0.0.tgz`, integrity };
    served.set(
      "/packed",
      Buffer.from(JSON.stringify({ "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": { dist } } })),
    );
    served.set("/packed/-/packed-1.0.0.tgz", bytes);
    process.env.DRYDOCK_NPM_REGISTRY = address;
    try {
      const added = await runCli("ext", "add", "packed@1.0.0", "--yes");
      expect(added, added.stderr).toMatchObject({ status: 0 });
      expect((await runCli("do", "/packed say hi")).stdout).toBe("demo 1.0.0 hi\n");
      expect((await runCli("ext", "update", "packed")).status).toBe(0);
      expect((await runCli("ext", "add", "unheard-of", "--yes")).stderr).toContain("extension.not_found");
    } finally {
      delete process.env.DRYDOCK_NPM_REGISTRY;
    }
    await runCli("ext", "remove", "packed");
  });

  it("is cancelled by Ctrl-C, and nothing is installed", async () => {
    const slow = createServer((request) => request.resume()).listen(0, "127.0.0.1");
    await once(slow, "listening");
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/slow`;
    const install = `install:\n  - url: ${url}\n    sha256: "${sha256(TOOL)}"\n    to: tools/demo\n`;
    const source = await writeDemo(join(place, "slow"), { id: "slow", install });
    const child = spawnCli(home(), ["ext", "add", source, "--yes"]);
    await once(slow, "request");
    child.process.kill("SIGINT");
    const ended = await child.finished;
    expect(ended, ended.stderr).toMatchObject({ status: 130, stderr: expect.stringContaining("run.cancelled") });
    expect((await runCli("ext", "list")).stdout).not.toContain("slow");
    slow.closeAllConnections();
    slow.close();
  });
});
