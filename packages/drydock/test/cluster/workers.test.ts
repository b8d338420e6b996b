import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@drydock/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRedactor, type Ledger, openLedger, readOwner } from "../../src/ledger/index.ts";
import { addressIn, startPostgres, type TestServer } from "../../src/ledger/testing/postgres/start-postgres.ts";
import { runSql } from "../../src/ledger/testing/postgres/test-databases.ts";
import { type Spawned, spawnCli } from "../../src/surfaces/cli/testing/run-cli.ts";

const directory = join(tmpdir(), `drydock-workers-${process.pid}`);
const home = mkdtempSync(join(tmpdir(), "drydock-workers-home-"));
const spawned: Spawned[] = [];
let server: TestServer;
let ledger: Ledger;

/** A way to the server that can be cut without a word to either end, as between machines. */
const link = { port: 0, isCut: false, sockets: new Set<Socket>() };
const proxy = createServer((socket) => {
  const upstream = connect(join(directory, ".s.PGSQL.5432"));
  for (const each of [socket, upstream]) {
    link.sockets.add(each);
    each.on("error", () => {});
    if (link.isCut) each.pause();
  }
  socket.on("data", (data) => link.isCut || upstream.write(data));
  upstream.on("data", (data) => link.isCut || socket.write(data));
  socket.on("close", () => upstream.destroy());
  upstream.on("close", () => socket.destroy());
});

beforeAll(async () => {
  server = await startPostgres({ directory });
  runSql(addressIn(directory), "create database ours");
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  link.port = (proxy.address() as AddressInfo).port;
  writeFileSync(join(home, "policy.yaml"), 'version: 1\nnetwork: { allow: { default: [], max: ["127.0.0.1:1"] } }\n');
  ledger = await openLedger({
    home,
    databaseUrl: address(),
    redactor: createRedactor({ environment: {}, allowedNames: () => true }),
    owner: readOwner(),
  });
});
afterAll(async () => {
  for (const { process: child } of spawned) child.kill("SIGKILL");
  await Promise.all(spawned.map(({ finished }) => finished));
  await ledger.close();
  proxy.close();
  for (const socket of link.sockets) socket.destroy();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

const address = () => addressIn(directory, "ours");
const start = (argv: string[], databaseUrl = address()) => {
  const started = spawnCli(home, argv, "", { DATABASE_URL: databaseUrl });
  spawned.push(started);
  return started;
};

async function startWorker(labels: string, databaseUrl?: string): Promise<Spawned> {
  const worker = start(
    ["worker", "--slots", "4", "--name", labels.replaceAll(",", "-"), "--labels", labels],
    databaseUrl,
  );
  await worker.printed("is ready");
  return worker;
}

const order = (label: string, code: string, ...words: string[]) =>
  start(["exec", "--queue", "--needs", label, "-c", code, ...words]);

async function findRun(code: string): Promise<string> {
  const { runs } = await ledger.listRuns({ limit: 20 });
  return runs.find(({ title }) => title.includes(code))?.id ?? "";
}

async function types(id: string): Promise<RunEvent["type"][]> {
  return (await ledger.events(id)).map(({ type }) => type);
}

/** Long enough for what happens to its worker, and a word by which the run is found again. */
const work = (name: string) => `import time; time.sleep(6); print("${name}", 6 * 7)`;

test("runs of workers that are killed, stopped or cut off go on elsewhere, and end once", async () => {
  const [killed, stopped] = await Promise.all([
    startWorker("killed"),
    startWorker("stopped"),
    startWorker("cut", `postgres://drydock@127.0.0.1:${link.port}/ours`),
  ]);
  const names = ["killed", "stopped", "cut"];
  const calls = names.map((name) => order(name, work(name)));
  // It may have reached somebody before its worker was gone.
  const connected = order("killed", work("connected"), "--net", "127.0.0.1:1");
  const begun = async (name: string) => {
    await expect.poll(() => findRun(`"${name}"`), { interval: 20 }).not.toBe("");
    const id = await findRun(`"${name}"`);
    await expect.poll(() => types(id), { interval: 20 }).toContain("run.started");
    return id;
  };
  const ids = await Promise.all([
    Promise.all([begun("killed"), begun("connected")]).then((both) => {
      killed?.process.kill("SIGKILL");
      return both;
    }),
    begun("stopped").then((id) => {
      stopped?.process.kill("SIGSTOP");
      return [id];
    }),
    begun("cut").then((id) => {
      link.isCut = true;
      return [id];
    }),
  ]).then(([[first = "", last = ""], [second = ""], [third = ""]]) => [first, second, third, last]);
  for (const id of ids) expect(await types(id)).not.toContain("run.succeeded");

  const helper = await startWorker("killed,stopped,cut");
  for (const [index, call] of calls.entries()) {
    expect(await call.finished).toMatchObject({ status: 0, stdout: `${names[index]} 42\n` });
  }
  expect(await connected.finished).toMatchObject({ status: 70, stderr: expect.stringContaining("was lost") });

  // Those who come back find that others have ended what they had.
  link.isCut = false;
  stopped?.process.kill("SIGCONT");
  await expect.poll(() => stopped?.stderr()).toContain("The claim of run");
  for (const id of ids.slice(0, 3)) {
    const seen = await types(id);
    expect(seen.filter((type) => type === "run.claimed")).toHaveLength(2);
    expect(seen.filter((type) => ["run.succeeded", "run.failed", "run.cancelled", "run.lost"].includes(type))).toEqual([
      "run.succeeded",
    ]);
  }
  expect((await types(ids[3] ?? "")).at(-1)).toBe("run.lost");
  expect(await ledger.verify()).toMatchObject({ ok: true, runs: 4 });
  helper.process.kill("SIGTERM");
  expect(await helper.finished).toMatchObject({ status: 0 });
});

test("a run is cancelled while it waits, and on its worker", async () => {
  const waiting = order("tide", work("waits"));
  await expect.poll(() => findRun('"waits"')).not.toBe("");
  const cancel = (id: string) => start(["runs", "cancel", id]).finished;
  expect(await cancel(await findRun('"waits"'))).toMatchObject({ status: 0 });
  expect(await waiting.finished).toMatchObject({ status: 130 });

  await startWorker("tide");
  const long = order("tide", 'import time; print("long"); time.sleep(60)');
  await expect.poll(() => findRun('"long"')).not.toBe("");
  const id = await findRun('"long"');
  await expect.poll(() => types(id)).toContain("run.started");
  expect(await cancel(id)).toMatchObject({ status: 0 });
  expect(await long.finished).toMatchObject({ status: 130 });
  expect((await types(id)).at(-1)).toBe("run.cancelled");
});
