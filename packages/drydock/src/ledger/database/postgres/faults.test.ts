import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type LedgerOptions, openLedger, readOwner } from "../../index.ts";
import { addEndedRun, makeHome, NO_SECRETS } from "../../testing/open-test-ledger.ts";
import { addressIn, startPostgres, type TestServer } from "../../testing/postgres/start-postgres.ts";
import { runSql } from "../../testing/postgres/test-databases.ts";

const PASSWORD = "tide-and-time";
const directory = join(tmpdir(), `drydock-faults-${process.pid}`);
let server: TestServer;
let databases = 0;

beforeAll(async () => {
  server = await startPostgres({ directory, durable: true, guarded: { user: "guarded", password: PASSWORD } });
});
afterAll(() => server.stop());

/** An empty database and an empty home. */
function prepare(): { home: string; address: string } {
  const home = makeHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const name = `faults_${databases++}`;
  runSql(addressIn(directory), `create database ${name}`);
  return { home, address: addressIn(directory, name) };
}

const open = (place: { home: string; address: string }, options: Partial<LedgerOptions> = {}) =>
  openLedger({
    ...{ home: place.home, databaseUrl: place.address, redactor: NO_SECRETS, owner: readOwner() },
    ...options,
  });

const refused = (reason: string) => ({ code: "ledger.unavailable", data: { reason } });

test("a server that does not answer, and a database that is not there, are named without the password", async () => {
  const home = makeHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const addresses = {
    unreachable: `postgres://me:${PASSWORD}@127.0.0.1:1/db`,
    missing: addressIn(directory, "nowhere"),
    address: `postgres://me:${PASSWORD}/x@[nonsense`,
  };
  for (const [reason, address] of Object.entries(addresses)) {
    const error = await open({ home, address }).catch((caught: unknown) => caught);
    expect(error).toMatchObject(refused(reason));
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(PASSWORD);
  }
  const socket = { home, address: `postgres://me:${PASSWORD}@/db?host=${encodeURIComponent(home)}` };
  await expect(open(socket)).rejects.toMatchObject({
    ...refused("unreachable"),
    message: `The ledger in the database postgres://me@${home}/db can't be reached: the server does not answer.`,
  });
});

test("a wrong password is called that, a right one opens, and neither is in the error", async () => {
  const place = prepare();
  const guarded = (password: string) => place.address.replace("drydock@", `guarded${password}@`);
  for (const wrong of [":high-and-dry", ""]) {
    const error = await open({ ...place, address: guarded(wrong) }).catch((caught: unknown) => caught);
    expect(error).toMatchObject(refused("password"));
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("high-and-dry");
  }
  // It may log in, and has no right to make tables.
  await expect(open({ ...place, address: guarded(`:${PASSWORD}`) })).rejects.toMatchObject(refused("forbidden"));
});

test("a ledger of a newer version is refused, and left as it is", async () => {
  const place = prepare();
  await (await open(place)).close();
  runSql(place.address, "insert into kysely_migration values ('0099-from-the-future', '2030-01-01T00:00:00.000Z')");
  runSql(place.address, "update meta set value = '0099-from-the-future' where key = 'schema-floor'");
  await expect(open(place)).rejects.toMatchObject({
    ...refused("newer"),
    message: expect.stringContaining("newer Drydock"),
  });
  expect(runSql(place.address, "select count(*) from runs").trim()).toBe("0");
});

test("a server that can only be read is refused, but for who only reads", async () => {
  const place = prepare();
  const first = await open(place);
  const id = await addEndedRun(first);
  await first.close();
  const name = new URL(place.address.replace("@/", "@x/")).pathname.slice(1);
  runSql(addressIn(directory), `alter database ${name} set default_transaction_read_only = on`);
  await expect(open(place)).rejects.toMatchObject(refused("readonly"));
  const reader = await open(place, { mayBeUnwritable: true });
  expect(reader.isReadOnly).toBe(true);
  expect(await reader.verify()).toMatchObject({ ok: true, runs: 1 });
  await expect(reader.append(id, [{ type: "layer.applied", data: {} }])).rejects.toMatchObject(refused("readonly"));
  await reader.close();
});

test("a database with tables of another program is left alone", async () => {
  const place = prepare();
  runSql(place.address, "create table sessions (id text)");
  await expect(open(place)).rejects.toMatchObject(refused("occupied"));
  expect(runSql(place.address, "select tablename from pg_tables where schemaname = 'public'").trim()).toBe("sessions");
});

test("a database that stores text in another way is refused", async () => {
  const place = prepare();
  runSql(addressIn(directory), "create database latin encoding LATIN1 locale 'C' template template0");
  await expect(open({ ...place, address: addressIn(directory, "latin") })).rejects.toMatchObject(refused("encoding"));
});

test("what was acknowledged is there when the server was killed, and work goes on without opening again", async () => {
  const place = prepare();
  const ledger = await open(place);
  const acknowledged: string[] = [];
  const writers = Array.from({ length: 4 }, async () => {
    for (;;) acknowledged.push(await addEndedRun(ledger));
  }).map((writer) => writer.catch((error: unknown) => error));
  while (acknowledged.length < 20) await sleep(5);
  await server.crash();
  for (const error of await Promise.all(writers)) expect(error).toMatchObject(refused("unreachable"));
  for (const id of acknowledged) expect((await ledger.getRun(id))?.status).toBe("succeeded");
  await addEndedRun(ledger);
  expect(await ledger.verify()).toMatchObject({ ok: true });
  await ledger.close();
});

test("a transaction that the server gives up in favour of another one is tried again", async () => {
  const place = prepare();
  const ledger = await open(place);
  const { id } = await ledger.createRun({ kind: "exec", title: "", data: {} });
  // The server's answer to a circle of locks, once.
  runSql(
    place.address,
    `create sequence tries; create function give_up() returns trigger language plpgsql as $$ begin
       if nextval('tries') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
       return new;
     end $$; create trigger give_up before insert on events for each row execute function give_up()`,
  );
  const [event] = await ledger.append(id, [{ type: "output.recorded", data: { text: "once" } }]);
  expect(event?.seq).toBe(1);
  expect(await ledger.verify()).toMatchObject({ ok: true, events: 2 });
  await ledger.close();
});

test("a NUL in a text that is stored as it is becomes an error about the text, not about the ledger", async () => {
  const ledger = await open(prepare());
  const { values } = await ledger.openHost();
  await expect(values.set("somebody", "a\0b", "value")).rejects.toMatchObject({ code: "input.invalid" });
  await ledger.close();
});
