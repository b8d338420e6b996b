import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { isOwnerGone, ownerOf, readOwner } from "./owner.ts";
import { openTestLedger } from "./testing/open-test-ledger.ts";
import { databaseOf, giveBackDatabase, isOnPostgres } from "./testing/postgres/test-databases.ts";
import { spawnWriter, type Writer } from "./testing/spawn-writer.ts";

test("two processes on one home write at once, and the chain holds", async () => {
  await using t = await openTestLedger();
  const writers = [spawnWriter(t.home, "runs", "40"), spawnWriter(t.home, "runs", "40")];
  expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual([0, 0]);
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 80, events: 160 });
});

test("processes that meet on a new home all get to work", async () => {
  await using t = await openTestLedger();
  const fresh = `${t.home}/fresh`;
  databaseOf(fresh, { fresh: true });
  onTestFinished(() => giveBackDatabase(fresh));
  const writers = Array.from({ length: 3 }, () => spawnWriter(fresh, "runs", "3"));
  expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual([0, 0, 0]);
});

test("two processes append to one run, and every event has a number of its own", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  const writers = [spawnWriter(t.home, "append", id), spawnWriter(t.home, "append", id)];
  expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual([0, 0]);
  const numbers = writers.flatMap((writer) => writer.acknowledged().map(({ seq }) => seq as number));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  expect(await t.ledger.verify()).toMatchObject({ ok: true, events: 101 });
});

test("kill -9 of a writer, again and again: everything acknowledged is there, and no run stays running", async () => {
  await using t = await openTestLedger();
  const acknowledged: Record<string, unknown>[] = [];
  async function killOne(): Promise<void> {
    const writer = spawnWriter(t.home, "forever");
    await writer.reached(1 + Math.floor(Math.random() * 40));
    writer.process.kill("SIGKILL");
    await writer.ended;
    acknowledged.push(...writer.acknowledged());
    await t.ledger.recover();
  }
  // A server of databases does not die with its clients: there is less to find.
  for (let round = 0; round < (isOnPostgres ? 2 : 5); round++) await Promise.all([killOne(), killOne()]);
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
  expect((await t.ledger.listRuns({ status: "running" })).runs).toEqual([]);
  for (const { created, ended, runId, seq } of acknowledged) {
    if (created) expect(await t.ledger.getRun(String(created))).not.toBeNull();
    if (ended) expect((await t.ledger.getRun(String(ended)))?.status).toBe("succeeded");
    if (runId) expect(await t.ledger.events(String(runId), { afterSeq: Number(seq) - 1, limit: 1 })).toHaveLength(1);
  }
});

test("writers, cuts, audits and new keys at once, each killed by kill -9: the chain holds, and nothing acknowledged is lost", async () => {
  await using t = await openTestLedger();
  const start = (mode: string) => spawnWriter(t.home, mode);
  const modes = ["forever", "forever", "cut", "audit", "rotate"];
  const processes = modes.map(start);
  await Promise.all(processes.map((each) => each.reached(2)));
  const kill = async (each: Writer) => {
    each.process.kill("SIGKILL");
    await each.ended;
  };
  await Promise.all([0, 2, 4].map((at) => kill(processes[at] as Writer)));
  // Those that are left go on, and those that take the place of the killed ones do not wait for them.
  const later = ["cut", "rotate"].map(start);
  await Promise.all(later.map((each) => each.reached(1)));
  await Promise.all([1, 3].map((at) => (processes[at] as Writer).reached(6)));
  await Promise.all([...processes, ...later].map(kill));
  await t.ledger.recover();
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
  expect(processes[3]?.acknowledged().find(({ holds }) => holds !== true)).toBeUndefined();
  const reply = processes.slice(0, 2).flatMap((each) => each.acknowledged());
  const ended = new Set(reply.map(({ ended }) => String(ended)));
  const gone: string[] = [];
  for (const { created, runId, seq } of reply) {
    const id = String(created ?? runId);
    if ((await t.ledger.getRun(id)) === null) gone.push(id);
    else if (runId) expect(await t.ledger.events(id, { afterSeq: Number(seq) - 1, limit: 1 })).toHaveLength(1);
  }
  // A cut removes what has ended. Of each writer, one more may have ended in the moment of its death.
  expect(new Set(gone.filter((id) => !ended.has(id))).size).toBeLessThanOrEqual(2);
});

test("recovery ends the runs of a process that is gone, once, and leaves those of a live one alone", async () => {
  await using t = await openTestLedger();
  const mine = await t.ledger.createRun({ kind: "exec", title: "mine", data: {} });
  const writer = spawnWriter(t.home, "hold");
  await writer.reached(1);
  const id = String(writer.acknowledged()[0]?.created);
  expect(await t.ledger.recover()).toEqual([]);
  writer.process.kill("SIGKILL");
  await writer.ended;
  expect(await t.ledger.recover()).toEqual([id]);
  expect(await t.ledger.recover()).toEqual([]);
  const run = await t.ledger.getRun(id);
  expect(run).toMatchObject({ status: "lost", events: 2 });
  expect((await t.ledger.events(id)).at(-1)).toMatchObject({
    type: "run.lost",
    data: { owner: { pid: writer.process.pid } },
  });
  expect((await t.ledger.getRun(mine.id))?.status).toBe("running");
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
  await expect(t.ledger.finish(id, { type: "run.succeeded", data: {} })).rejects.toMatchObject({
    code: "input.invalid",
  });
});

test("an owner is told from a later process with its pid, from one before a reboot, and from one it can't see", () => {
  const me = readOwner();
  const [name, boot, namespace] = me.host.split("|");
  expect(Number(me.startTime)).toBeGreaterThan(0);
  const at = (...host: (string | undefined)[]) => ({ ...me, host: host.join("|") });
  expect(isOwnerGone(me, me)).toBe(false);
  expect(isOwnerGone({ ...me, startTime: "1" }, me)).toBe(true);
  expect(isOwnerGone({ ...me, pid: 2 ** 22 + 1 }, me)).toBe(true);
  expect(isOwnerGone(at(name, "another-boot", namespace), me)).toBe(true);
  expect(isOwnerGone({ ...at(name, boot, "pid:[1]"), pid: 2 ** 22 + 1 }, me)).toBe(false);
});

test("of a process on another machine only a registry can say that it is gone, whatever the machine is called", () => {
  const me = ownerOf(readOwner(), "home-1");
  const [name, boot, namespace] = me.host.split("|");
  const at = (...host: (string | undefined)[]) => ({ ...me, host: host.join("|") });
  const elsewhere = [
    at(name, "another-boot", namespace, "home-2"),
    at("another-name", "another-boot", namespace, "home-2"),
    // Another container on this machine.
    at(name, boot, "pid:[1]", "home-1"),
  ];
  for (const owner of elsewhere) {
    expect([isOwnerGone(owner, me), isOwnerGone(owner, me, () => true)]).toEqual([false, true]);
  }
  // Nobody need be asked about this machine: it was started again.
  expect(isOwnerGone(at(name, "another-boot", namespace, "home-1"), me, () => false)).toBe(true);
  expect(isOwnerGone({ ...me, startTime: "1" }, me, () => false)).toBe(true);
  expect(isOwnerGone(me, me, () => true)).toBe(false);
});

test("a dead process that nobody has buried yet is gone", async () => {
  // The shell becomes a program that does not wait for the child it inherited.
  const parent = spawn("sh", ["-c", "sleep 100 & echo $!; exec sleep 100"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  while (readFileSync(`/proc/${parent.pid}/comm`, "utf8") !== "sleep\n") await sleep(5);
  const owner = { pid, startTime: readStatField(pid, 22), host: readOwner().host };
  expect(isOwnerGone(owner, owner)).toBe(false);
  process.kill(pid, "SIGKILL");
  while (readStatField(pid, 3) !== "Z") await sleep(5);
  expect(isOwnerGone(owner, owner)).toBe(true);
});

function readStatField(pid: number, field: number): string {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[field - 1] ?? "";
}

test.skipIf(isOnPostgres)("a write waits for another process's lock without stopping everything else", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  using other = new DatabaseSync(join(t.home, "ledger.db"));
  other.exec("begin immediate");
  const appended = t.ledger.append(id, [{ type: "output.recorded", data: {} }]);
  await sleep(300);
  other.exec("commit");
  expect(await appended).toHaveLength(1);
});
