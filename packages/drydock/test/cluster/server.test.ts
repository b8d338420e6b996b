import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressIn, startPostgres, type TestServer } from "../../src/ledger/testing/postgres/start-postgres.ts";
import { runSql } from "../../src/ledger/testing/postgres/test-databases.ts";
import { type Spawned, spawnCli } from "../../src/surfaces/cli/testing/run-cli.ts";

const directory = join(tmpdir(), `drydock-served-${process.pid}`);
const home = mkdtempSync(join(tmpdir(), "drydock-served-home-"));
const workspace = mkdtempSync(join(tmpdir(), "drydock-served-work-"));
const spawned: Spawned[] = [];
let server: TestServer;
let url = "";

beforeAll(async () => {
  server = await startPostgres({ directory });
  runSql(addressIn(directory), "create database ours");
  cpSync(new URL("../../../../demo/python-bugfix", import.meta.url), workspace, { recursive: true });
  const served = start("serve", "--port", "0", "--no-auth", "--worker-slots", "0", "--json");
  await served.printed('"url"');
  url = (JSON.parse(served.stdout()) as { url: string }).url;
  await start("worker", "--slots", "2", "--name", "hand").printed("is ready");
});
afterAll(async () => {
  for (const { process: child } of spawned) child.kill("SIGTERM");
  await Promise.all(spawned.map(({ finished }) => finished));
  await server.stop();
  for (const path of [home, workspace]) rmSync(path, { recursive: true, force: true });
});

function start(...argv: string[]): Spawned {
  const started = spawnCli(home, argv, "", { DATABASE_URL: addressIn(directory, "ours") });
  spawned.push(started);
  return started;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

interface Shown {
  id: string;
  status: string;
  verdict: string;
}
interface Page {
  events: { type: string; data: Record<string, unknown> }[];
}

const types = async (id: string) =>
  (await call<Page>("GET", `/runs/${id}/events?limit=500`)).events.map(({ type }) => type);

test("an execution that is sent to a server is carried out by a worker, and its result comes back", async () => {
  const result = await call<{ ok: boolean; stdout: string; runId: string }>("POST", "/execute", {
    code: "print(6 * 7)",
  });
  expect(result).toMatchObject({ ok: true, stdout: "42\n" });
  expect(await types(result.runId)).toContain("run.claimed");
  const failed = await call<{ ok: boolean; error: { code: string } }>("POST", "/execute", { code: "1 / 0" });
  expect(failed).toMatchObject({ ok: false, error: { code: "code.exception" } });
});

test("a goal that is sent to a server is carried out by a worker, and its change is delivered", async () => {
  const before = readFileSync(join(workspace, "calculator/basics.py"), "utf8");
  const run = await call<Shown>("POST", "/runs", {
    kind: "goal",
    goal: "Fix add() so that the tests pass",
    workspace,
    model: "repair",
    checks: ["python3 -m pytest -q"],
  });
  // A worker may have taken it by now.
  expect(await types(run.id)).toContain("run.queued");
  await expect
    .poll(async () => (await call<Shown>("GET", `/runs/${run.id}`)).status, { timeout: 90_000 })
    .toBe("succeeded");
  expect((await call<Shown>("GET", `/runs/${run.id}`)).verdict).toBe("passed");
  expect(await types(run.id)).toContain("run.claimed");
  await expect.poll(() => types(run.id)).toContain("layer.applied");
  expect(readFileSync(join(workspace, "calculator/basics.py"), "utf8")).not.toBe(before);
});

test("what only a server can do stays with it", async () => {
  const run = await call<Shown>("POST", "/runs", { kind: "exec", code: 'print(input("?"))', interactive: true });
  await expect.poll(() => types(run.id)).toContain("input.requested");
  expect(await types(run.id)).not.toContain("run.queued");
  await call("POST", `/runs/${run.id}/input`, { text: "hello" });
  await expect.poll(async () => (await call<Shown>("GET", `/runs/${run.id}`)).status).toBe("succeeded");
});

test("doctor looks at the workers and the queue", async () => {
  expect(await start("doctor", "--cluster").finished).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/1 active worker on 1 machine, 2 slots[\s\S]*Runs that wait will be carried out/),
  });
});
