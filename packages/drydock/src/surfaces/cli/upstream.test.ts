import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const KEY = "plainsecret0123456789";
let server: Server;
let baseUrl = "";

beforeAll(async () => {
  process.env.TEST_SEARCH_KEY = KEY;
  server = createServer((request, response) => {
    const isRight = request.headers["x-search-key"] === KEY;
    response.writeHead(isRight ? 200 : 401).end(isRight ? "found" : "no");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  delete process.env.TEST_SEARCH_KEY;
});

const add = (...more: string[]) =>
  runCli("upstream", "add", "search", "--base-url", baseUrl, "--header", "X-Search-Key", ...more);

describe("drydock upstream", () => {
  it("adds one, lets runs ask for it, tests it and removes it; the key is written nowhere", async () => {
    const added = await add("--key-variable", "TEST_SEARCH_KEY", "--allow", "GET /v1/**", "--max-tokens", "100");
    expect(added.stdout).toContain(`runs can reach ${baseUrl} as http://search.dock`);
    const files = await Promise.all(["config.yaml", "policy.yaml"].map((name) => readFile(join(home(), name), "utf8")));
    expect(files[1]).toContain("upstreams: { max: [ search ] }");
    expect((await runCli("upstream", "list")).stdout).toMatch(
      /search +http.* +the variable TEST_SEARCH_KEY +100 tokens a run/,
    );
    expect((await runCli("upstream", "test", "search")).stdout).toContain("search answered with status 200");
    const run = await runCli(
      "exec",
      "--upstream",
      "search",
      "--lang",
      "bash",
      "-c",
      "curl -s $SEARCH_BASE_URL/v1/x; env",
    );
    expect(run.stdout).toMatch(/^found/);
    expect((await runCli("exec", "--lang", "bash", "-c", "env")).stdout).not.toContain("SEARCH_BASE_URL");
    for (const text of [...files, added.stdout, run.stdout]) expect(text).not.toContain(KEY);
    expect((await runCli("doctor")).stdout).toMatch(/upstreams +1 upstream with a key: search/);
    const removed = await runCli("upstream", "remove", "search");
    expect(removed).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("drydock policy deny upstream search"),
    });
    expect((await runJson("upstream", "list")).value).toEqual([]);
    expect((await runCli("exec", "--upstream", "search", "-c", "1")).status).toBe(2);
    expect((await runCli("policy", "deny", "upstream", "search")).status).toBe(0);
    const unknown = await runCli("exec", "--upstream", "search", "-c", "1");
    expect(unknown).toMatchObject({ status: 3, stderr: expect.stringContaining("drydock upstream add search") });
    expect(unknown.stderr).not.toContain("policy allow upstream");
  });

  it("says what is missing", async () => {
    expect((await add("--key-variable", "TEST_SEARCH_KEY")).stderr).toContain("has no rules");
    expect((await add("--key-variable", KEY.replace("p", "-"), "--allow", "GET /**")).stderr).not.toContain(
      KEY.slice(1),
    );
    expect((await runCli("upstream", "add", "search")).stderr).toContain("There is no preset");
    expect((await runCli("upstream", "test", "search")).status).toBe(2);
    expect((await add("--allow", "GET /**", "--key-variable", "TEST_NO_KEY")).stdout).toContain("there is no key");
    const refused = await runCli("exec", "--upstream", "search", "-c", "1");
    expect([refused.status, refused.stderr]).toEqual([5, expect.stringContaining("upstream.unavailable")]);
    expect((await runCli("exec", "--upstream", "openai", "-c", "1")).status).toBe(3);
  });

  it("reports a key that the upstream refuses", async () => {
    process.env.TEST_WRONG_KEY = "another-key-entirely";
    await add("--key-variable", "TEST_WRONG_KEY", "--allow", "GET /**");
    const tested = await runCli("upstream", "test", "search");
    expect([tested.status, tested.stdout]).toEqual([1, expect.stringContaining("refuses the key")]);
  });
});
