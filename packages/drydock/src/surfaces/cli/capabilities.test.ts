import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const SECRET = "zk4-not-for-anybody";
const server = createServer((request, response) => {
  if (request.url === "/items") response.setHeader("content-type", "application/json");
  const items = JSON.stringify({ items: [{ name: "anchor", price: 12 }], asked: request.headers.authorization });
  response.end(request.url === "/items" ? items : "<!doctype html><title>A dock</title><p>Ships are mended here.</p>");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const FILES = {
  "extension.yaml": `id: yard
version: 1.0.0
name: Yard
description: What a dock needs. For tests.
permissions: { tools: [show, sh, no_such_cli], hosts: ["${host}"], secrets: [API_TOKEN] }
`,
  "commands.yaml": `commands:
  - name: yard
    description: What a dock needs.
    actions:
      - { name: own, description: Its own tool., runner: exec.show }
      - { name: missing, description: Its tool is nowhere., runner: exec.no_such_cli }
      - { name: hang, description: Never ends., runner: exec.sh, timeoutSeconds: 1, args: [-c, "sleep 987654"] }
      - { name: up, description: A script., runner: node.script, script: up.mjs, stdin: "{{ input }}" }
      - name: items
        description: A declared request.
        runner: api.call
        request: { url: "http://${host}/items", auth: { type: bearer, secret: API_TOKEN } }
      - { name: schema, description: The shape of a response., runner: analyze.schema }
      - { name: analyze, description: What a response holds., runner: analyze.response }
`,
  "docs/USAGE.md": "# Yard\n\n`/yard items` lists what there is.\n",
  "tools/show": "#!/bin/sh\necho its own\n",
  "up.mjs":
    "let text = '';\nfor await (const piece of process.stdin) text += piece;\nconsole.log(text.toUpperCase());\n",
};

const home = useHome();
const directory = mkdtempSync(join(tmpdir(), "drydock-yard-"));
const workspace = join(directory, "workspace");

beforeAll(async () => {
  mkdirSync(workspace);
  writeFileSync(join(workspace, "ages.csv"), "name,age\nann,20\nbob,40\n");
  writeFileSync(join(home(), "policy.yaml"), `version: 1\nnetwork: { allow: ["${host}"] }\n`);
  const extension = join(directory, "extension");
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(extension, path)), { recursive: true });
    writeFileSync(join(extension, path), text, { mode: 0o755 });
  }
  expect(await runCli("ext", "add", extension, "--yes")).toMatchObject({ status: 0 });
  const { finished } = spawnCli(home(), ["secret", "set", "API_TOKEN"], SECRET);
  expect(await finished).toMatchObject({ status: 0 });
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const say = async (line: string, ...more: string[]) => {
  const { status, stdout, stderr } = await runCli("do", line, ...more);
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
};
const fail = async (line: string) => {
  const { status, value } = await runJson("do", line);
  return { status, ...(value.error as { code: string; message: string; hint: string }) };
};

describe("capabilities by drydock do", () => {
  it("run tools: Debian's, and the extension's own first", async () => {
    expect(await say("/yard own")).toBe("its own\n");
    expect(await say(`/jq data .a --data '{"a": 7}'`)).toBe("7\n");
    expect(await say(`/curl get http://${host}/items`)).toContain("anchor");
  });

  it("run scripts, in Python on the caller's files and in Node on the last response", async () => {
    expect(JSON.parse(await say("/csv average ages.csv", "--workspace", workspace))).toEqual({ age: 30 });
    expect(await say("/yard own | /yard up")).toBe("ITS OWN\n\n");
  });

  it("send declared requests with a secret that nobody gets to see", async () => {
    const items = await say("/yard items", "--session", "shop");
    expect(items).toContain("anchor");
    expect(items).not.toContain(SECRET);
    expect(await say("/jq .items[0].price", "--session", "shop")).toBe("12\n");
    expect((await runCli("responses", "list", "--session", "shop")).stdout).toContain("/yard items");
    expect((await runCli("audit", "export")).stdout).not.toContain(SECRET);
  });

  it("open pages", async () => {
    expect(await say(`/web text http://${host}/`)).toContain("Ships are mended here.");
  });

  it("analyse what came: with a model, which is held to what is declared, and without", async () => {
    await say("/yard items", "--session", "look");
    expect(await say("/yard analyze", "--session", "look")).toContain("JSON");
    expect(JSON.parse(await say("/yard schema", "--session", "look"))).toMatchObject({ type: "object" });
    const script = join(directory, "script.yaml");
    const text = "One item. Try `/yard own`, or `/zqrm -rf /`.";
    writeFileSync(script, JSON.stringify({ answers: [{ when: { step: "analyze" }, text, repeat: "always" }] }));
    await say("/yard items", "--session", "look");
    const reply = await say("/yard analyze", "--session", "look", "--model", `scripted:${script}`);
    expect(reply).toContain("One item. Try `/yard own`");
    expect(reply).not.toContain("zqrm");
  });

  it("fail in ways that say what to do", async () => {
    expect(await fail("/yard missing")).toMatchObject({ status: 5, code: "extension.tool_missing" });
    expect(await fail("/yard hang")).toMatchObject({ status: 4, code: "limit.timeout" });
    expect(await fail("/curl get http://127.0.0.2:1/")).toMatchObject({ status: 3, code: "policy.network_denied" });
    const unknown = await fail("/yrad own");
    expect(unknown).toMatchObject({ status: 2, code: "extension.not_found" });
    expect(unknown.hint).toContain("/yard");
  });

  it("are all on record: who called what, how it went, and how long it took", async () => {
    await runCli("do", "/yard own", "--user", "ann", "--session", "kept");
    const { value } = await runJson("audit", "list", "--extension", "yard", "--user", "ann");
    const one = { extension: "yard", command: "yard", action: "own", user: "ann", session: "kept" };
    expect(value).toMatchObject({ runs: [{ ...one, status: "succeeded", durationMs: expect.any(Number) }] });
    expect(await runCli("audit", "verify")).toMatchObject({ status: 0 });
  });
});
