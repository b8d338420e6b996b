import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@drydock/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRedactor, type Ledger, openLedger, readOwner } from "../../src/ledger/index.ts";
import { addressIn, startPostgres, type TestServer } from "../../src/ledger/testing/postgres/start-postgres.ts";
import { runSql } from "../../src/ledger/testing/postgres/test-databases.ts";
import { type Boss, openBoss, submitOrder } from "../../src/queue/index.ts";
import { CLI_COMMAND } from "../../src/surfaces/cli/testing/run-cli.ts";

/** DRYDOCK_CHAOS_SECONDS=120 makes it shorter, for a first look. */
const SECONDS = Number(process.env.DRYDOCK_CHAOS_SECONDS ?? 600);
const RUNS = Math.ceil((SECONDS / 600) * 2000);
const WORKERS = 6;
const NETWORKS = 3;
const RESTARTS = 2;
const SLOTS = 4;
const TERMINAL: RunEvent["type"][] = ["run.succeeded", "run.failed", "run.cancelled", "run.lost"];

const directory = join(tmpdir(), `drydock-chaos-${process.pid}`);
const home = mkdtempSync(join(tmpdir(), "drydock-chaos-home-"));
const network = (n: number) => `drydock-${process.pid}-${n}`;
const device = (n: number, end: "a" | "b") => `dd${process.pid % 10_000}${n}${end}`;
const subnet = (n: number) => `10.214.${(process.pid % 80) * 3 + n}`;

let server: TestServer;
let ledger: Ledger;
let boss: Boss;
const workers: (ChildProcess | undefined)[] = [];

function ip(...words: string[]): void {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
}

beforeAll(async () => {
  for (let n = 0; n < NETWORKS; n++) {
    ip("netns", "add", network(n));
    ip("link", "add", device(n, "a"), "type", "veth", "peer", "name", device(n, "b"));
    ip("link", "set", device(n, "b"), "netns", network(n));
    ip("addr", "add", `${subnet(n)}.1/24`, "dev", device(n, "a"));
    ip("link", "set", device(n, "a"), "up");
    ip("-n", network(n), "addr", "add", `${subnet(n)}.2/24`, "dev", device(n, "b"));
    ip("-n", network(n), "link", "set", device(n, "b"), "up");
    ip("-n", network(n), "link", "set", "lo", "up");
  }
  const addresses = Array.from({ length: NETWORKS }, (_, n) => `${subnet(n)}.1`);
  server = await startPostgres({ directory, durable: true, listen: addresses });
  runSql(addressIn(directory), "create database ours");
  const databaseUrl = addressIn(directory, "ours");
  const redactor = createRedactor({ environment: {}, allowedNames: () => true });
  ledger = await openLedger({ home, databaseUrl, redactor, owner: readOwner() });
  boss = await openBoss({ databaseUrl, supervises: true });
});

afterAll(async () => {
  for (const worker of workers) worker?.kill("SIGKILL");
  await boss?.close();
  await ledger?.close();
  await server?.stop();
  for (let n = 0; n < NETWORKS; n++) ip("netns", "delete", network(n));
  rmSync(home, { recursive: true, force: true });
});

async function startWorker(index: number): Promise<void> {
  const n = index % NETWORKS;
  const url = `postgres://drydock@${subnet(n)}.1:5432/ours`;
  const [program, ...before] = CLI_COMMAND;
  const words = ["worker", "--slots", String(SLOTS), "--name", `w${index}`];
  const child = spawn("ip", ["netns", "exec", network(n), program, ...before, ...words], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH, DRYDOCK_HOME: home, DATABASE_URL: url },
  });
  workers[index] = child;
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
}

/** One fault after the other, at random moments, until the time is over. */
async function makeTrouble(random: () => number, until: number, log: string[]): Promise<void> {
  let restarts = 0;
  while (performance.now() < until) {
    await sleep(1000 + random() * 4000);
    const index = Math.floor(random() * WORKERS);
    const worker = workers[index];
    const kind = random();
    const share = 1 - (until - performance.now()) / (SECONDS * 1000);
    if (restarts < RESTARTS && share > (restarts + 1) / (RESTARTS + 1)) {
      restarts += 1;
      log.push("restart");
      await server.crash();
    } else if (kind < 0.4) {
      log.push("kill");
      worker?.kill("SIGKILL");
      void startWorker(index);
    } else if (kind < 0.7) {
      log.push("stop");
      worker?.kill("SIGSTOP");
      void sleep(2000 + random() * 20_000).then(() => worker?.kill("SIGCONT"));
    } else {
      const n = index % NETWORKS;
      log.push("cut");
      ip("link", "set", device(n, "a"), "down");
      await sleep(2000 + random() * 16_000);
      ip("link", "set", device(n, "a"), "up");
    }
  }
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** While the server is away, a submission is refused as a whole, and repeated. */
async function submit(n: number, policy: unknown): Promise<string> {
  const code = `open("n.txt", "w").write("${n}")\nprint(${n})`;
  const request = { language: "python", code, codeChars: code.length };
  for (;;) {
    try {
      return await submitOrder(boss, ledger, {
        run: { kind: "exec", title: `run ${n}`, data: { policy, request, hears: ["cancel"] } },
        ...{ needs: ["language:python"], party: `user ${n % 7}`, agent: null },
      });
    } catch {
      await sleep(200);
    }
  }
}

test(`${RUNS} runs, while workers are killed, stopped and cut off, and the database restarts`, async () => {
  const { createDock } = await import("../../src/index.ts");
  const here = await createDock({ home: mkdtempSync(join(tmpdir(), "drydock-chaos-policy-")), warm: 0 });
  const { effective } = (await here.policies.show()) as unknown as { effective: unknown };
  await here.close();
  for (let index = 0; index < WORKERS; index++) await startWorker(index);
  const random = createRandom(18);
  const log: string[] = [];
  const until = performance.now() + SECONDS * 1000;
  const trouble = makeTrouble(random, until, log);
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n++) {
    ids.push(await submit(n, effective));
    if (n % 10 === 9) await sleep(((SECONDS * 0.9) / RUNS) * 10_000);
  }
  await trouble;
  for (const worker of workers) worker?.kill("SIGCONT");
  const open = () => runSql(addressIn(directory, "ours"), "select count(*) from runs where ended_at is null").trim();
  for (let waited = 0; open() !== "0" && waited < 180; waited++) await sleep(1000);

  expect(open()).toBe("0");
  let takenOver = 0;
  const waits: number[] = [];
  for (const [n, id] of ids.entries()) {
    const events = await ledger.events(id, { limit: 1000 });
    expect(events.filter(({ type }) => TERMINAL.includes(type)).map(({ type }) => type)).toEqual(["run.succeeded"]);
    expect(events.filter(({ type }) => type === "artifact.stored")).toHaveLength(1);
    const [artifact, ...more] = await ledger.artifacts.list(id);
    expect(more).toEqual([]);
    expect((await ledger.artifacts.read(artifact?.id ?? "")).toString()).toBe(String(n));
    const claims = events.filter(({ type }) => type === "run.claimed");
    if (claims.length > 1) takenOver += 1;
    waits.push(...claims.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(claims[index]?.at ?? at)));
  }
  expect(await ledger.verify()).toMatchObject({ ok: true, runs: RUNS });
  expect(takenOver).toBeGreaterThan(0);
  const longest = Math.max(...waits) / 1000;
  console.log(
    `${log.length} faults (${JSON.stringify(
      Object.groupBy(log, (kind) => kind),
      (key, value) => (Array.isArray(value) && key !== "" ? value.length : value),
    )}), ${takenOver} runs taken over, the longest ${longest.toFixed(1)} s after its claim`,
  );
});
