import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { spawnCli } from "../../src/surfaces/cli/testing/run-cli.ts";
import { openPackageIndex, type PackageIndex } from "./package-index.ts";

const home = mkdtempSync(join(tmpdir(), "drydock-repl-packages-"));
const file = join(home, "requirements.txt");
let index: PackageIndex;
let web: Server;
let host: string;

beforeAll(async () => {
  index = await openPackageIndex();
  const fetching = "import urllib.request\ndef get(url): return urllib.request.urlopen(url).read().decode()\n";
  index.add("tinyget", "1.0", { "tinyget.py": fetching });
  web = createServer((_request, response) => response.end("fetched"));
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  const hosts = JSON.stringify([index.host, host]);
  writeFileSync(join(home, "policy.yaml"), `version: 1\nnetwork: { allow: { default: [], max: ${hosts} } }\n`);
  writeFileSync(file, "tinyget==1.0\n");
});
afterAll(async () => {
  web.close();
  await index.close();
  rmSync(home, { recursive: true, force: true });
});

const repl = (text: string, ...options: string[]) =>
  spawnCli(home, ["repl", ...options], text, { DRYDOCK_PYTHON_INDEX: index.url }).finished;
const FETCH = () => `import tinyget\ntinyget.get("http://${host}/")\n`;

it("installs packages and reaches hosts that the options name", async () => {
  const hosts = `${host},${index.host}`;
  const { status, stdout, stderr } = await repl(FETCH(), "--requirements", file, "--install", "--net", hosts);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '"fetched"\n', stderr: "" });
});

it("reaches no host without --net, and none that the owner does not allow", async () => {
  writeFileSync(join(home, "other.txt"), "other==1.0\n");
  const without = await repl("1\n", "--requirements", join(home, "other.txt"), "--install", "--net", host);
  expect(without.stderr).toContain(`the request's own network list does not name ${index.host}`);
  const closed = await repl(FETCH(), "--requirements", file);
  expect(closed).toMatchObject({ status: 1, stdout: "" });
  const refused = await repl("1 + 1\n", "--net", "example.org:443");
  expect(refused.stderr).toContain("policy.network_denied");
  expect(refused.stdout).toBe("");
});

it("takes a policy and limits for its steps, and refuses options without an effect", async () => {
  const policy = join(home, "narrow.yaml");
  writeFileSync(policy, "python: { imports: { block: [json] } }\n");
  expect((await repl("import json\n", "--policy", policy)).stderr).toContain("policy.import_denied");
  expect((await repl("while True: pass\n\n", "--timeout", "1")).stderr).toContain("limit.timeout");
  expect((await repl("1\n", "--install")).status).toBe(2);
  expect((await repl("1\n", "--lang", "node", "--requirements", file)).status).toBe(2);
});
