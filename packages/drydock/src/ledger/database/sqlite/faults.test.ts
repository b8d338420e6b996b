import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openLedger, readOwner } from "../../index.ts";
import { addEndedRun, makeHome, NO_SECRETS, openTestLedger } from "../../testing/open-test-ledger.ts";

const open = (home: string) => openLedger({ home, redactor: NO_SECRETS, owner: readOwner() });

test("a home that is a file can't be opened, and the error says so", async () => {
  const parent = makeHome();
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const home = join(parent, "file");
  writeFileSync(home, "");
  await expect(open(home)).rejects.toMatchObject({
    code: "ledger.unavailable",
    data: { reason: "unopenable" },
    hint: expect.stringContaining(home),
  });
  await expect(open(join(home, "below"))).rejects.toMatchObject({
    code: "ledger.unavailable",
    data: { reason: "unopenable" },
  });
});

test("a database that is none, or damaged, is reported as that and not touched", async () => {
  const home = makeHome();
  const garbage = "this is no database at all, ".repeat(400);
  writeFileSync(join(home, "ledger.db"), garbage);
  await expect(open(home)).rejects.toMatchObject({ code: "ledger.unavailable", data: { reason: "corrupt" } });
  expect(readFileSync(join(home, "ledger.db"), "utf8")).toBe(garbage);
  rmSync(home, { recursive: true });
});

test("damage in the middle is an error when it is read, not a wrong answer", async () => {
  const home = makeHome();
  const ledger = await open(home);
  for (let i = 0; i < 200; i++) await addEndedRun(ledger, `run ${i}`);
  await ledger.close();
  const file = join(home, "ledger.db");
  const bytes = readFileSync(file);
  bytes.fill(0xff, 4096 * 8, bytes.length);
  writeFileSync(file, bytes);
  const verified = open(home).then(async (again) => {
    try {
      return await again.verify();
    } finally {
      await again.close();
    }
  });
  await expect(verified).rejects.toMatchObject({ code: "ledger.unavailable", data: { reason: "corrupt" } });
  rmSync(home, { recursive: true });
});

test("a ledger of a newer version is refused, and the error says that it is newer", async () => {
  await using t = await openTestLedger();
  t.tamper("insert into kysely_migration values ('0099-from-the-future', '2030-01-01T00:00:00.000Z')");
  t.tamper("update meta set value = '0099-from-the-future' where key = 'schema-floor'");
  await expect(open(t.home)).rejects.toMatchObject({
    code: "ledger.unavailable",
    data: { reason: "newer" },
    message: expect.stringContaining("newer Drydock"),
  });
});

test("a database that another process holds is called busy, also for who only reads", async () => {
  await using t = await openTestLedger();
  await t.ledger.close();
  using holder = new DatabaseSync(join(t.home, "ledger.db"));
  holder.exec("pragma locking_mode = exclusive; begin exclusive");
  const opened = [false, true].map((mayBeUnwritable) =>
    openLedger({ home: t.home, redactor: NO_SECRETS, owner: readOwner(), mayBeUnwritable }).catch((error) => error),
  );
  for (const error of await Promise.all(opened))
    expect(error).toMatchObject({ code: "ledger.unavailable", data: { reason: "busy" } });
});

test("with `synchronous: full` leaving closes the ledger, and no log is left", async () => {
  await using t = await openTestLedger({ synchronous: "full" });
  await addEndedRun(t.ledger);
  expect(existsSync(join(t.home, "ledger.db-wal"))).toBe(true);
  await t.ledger.leave();
  expect(existsSync(join(t.home, "ledger.db-wal"))).toBe(false);
});

/** Runs code in a mount namespace of its own, so that nothing mounted there outlives it. */
function runMounted(mount: string, code: string) {
  const index = fileURLToPath(new URL("../../index.ts", import.meta.url));
  const support = fileURLToPath(new URL("../../testing/open-test-ledger.ts", import.meta.url));
  const script = `
    import { openLedger, readOwner } from ${JSON.stringify(index)};
    import { NO_SECRETS } from ${JSON.stringify(support)};
    const open = (home) => openLedger({ home, redactor: NO_SECRETS, owner: readOwner() });
    try { ${code} } catch (error) { console.log(JSON.stringify({ code: error.code, reason: error.data?.reason })); }`;
  const home = makeHome();
  const file = join(home, "script.mjs");
  writeFileSync(file, script);
  const mounted = join(home, "mounted");
  mkdirSync(mounted);
  const result = spawnSync(
    "unshare",
    [
      "--map-root-user",
      "--user",
      "--mount",
      "sh",
      "-c",
      `${mount} && exec "$0" "$1" "$2"`,
      process.execPath,
      file,
      mounted,
    ],
    { encoding: "utf8", env: { ...process.env, MOUNTED: mounted } },
  );
  rmSync(home, { recursive: true, force: true });
  return result;
}

const canMount = runMounted('mount -t tmpfs none "$MOUNTED"', "console.log(1)").status === 0;

test.skipIf(!canMount)("a read-only home is reported as that", () => {
  const { stdout, stderr } = runMounted('mount -t tmpfs -o ro none "$MOUNTED"', "await open(process.argv[2]);");
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ code: "ledger.unavailable", reason: "readonly" });
});

test.skipIf(!canMount)("a home that has become read-only is reported as that", () => {
  const { stdout, stderr } = runMounted(
    'mount -t tmpfs none "$MOUNTED" && "$0" "$1" "$2" && mount -o remount,ro "$MOUNTED"',
    'const ledger = await open(process.argv[2]); await ledger.close(); console.log("opened");',
  );
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual(["opened", '{"code":"ledger.unavailable","reason":"readonly"}']);
});

test.skipIf(!canMount)(
  "a full disk is reported as that, what was acknowledged stays, and work goes on once there is room",
  () => {
    const { stdout, stderr } = runMounted(
      'mount -t tmpfs -o size=1m none "$MOUNTED"',
      `const { writeFileSync, rmSync } = await import("node:fs");
     writeFileSync(process.argv[2] + "/ballast", Buffer.alloc(300000));
     const ledger = await open(process.argv[2]);
     let acknowledged = 0;
     let failure;
     const { id } = await ledger.createRun({ kind: "exec", title: "", data: {} });
     while (!failure && acknowledged < 100) {
       await ledger.append(id, [{ type: "output.recorded", data: { text: "x".repeat(20000) } }]).then(() => acknowledged++, (error) => { failure = error; });
     }
     const artifact = await ledger.artifacts.put(Buffer.alloc(900000), { runId: id, name: "a", mime: "image/png" }).catch((error) => error);
     rmSync(process.argv[2] + "/ballast");
     await ledger.append(id, [{ type: "output.recorded", data: {} }]);
     const report = await ledger.verify();
     console.log(JSON.stringify({ code: failure.code, reason: failure.data.reason, artifact: artifact.data.reason, ok: report.ok, kept: report.events - 2 === acknowledged }));`,
    );
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      code: "ledger.unavailable",
      reason: "full",
      artifact: "full",
      ok: true,
      kept: true,
    });
  },
);

/** One run is there, and then no room for the index of a log. */
const filled = (end: "close" | "leave") => `const { existsSync, writeFileSync, statfsSync } = await import("node:fs");
  const home = process.argv[2];
  if (!existsSync(home + "/ballast")) {
    const first = await open(home);
    const { id } = await first.createRun({ kind: "exec", title: "", data: {} });
    await first.finish(id, { type: "run.succeeded", data: {} });
    await first.${end}();
    const { bavail, bsize } = statfsSync(home);
    writeFileSync(home + "/ballast", Buffer.alloc(bavail * bsize - 8192));
    process.exit();
  }
  const read = () => openLedger({ home, redactor: NO_SECRETS, owner: readOwner(), mayBeUnwritable: true });
  const reasonOf = (work) => work.then(() => "done", (error) => error.data.reason);`;

test.skipIf(!canMount).each(["close", "leave"] as const)(
  "a disk without room for a log is called full, and can still be read (the last process did %s it)",
  (end) => {
    const { stdout, stderr } = runMounted(
      'mount -t tmpfs -o size=2m none "$MOUNTED" && "$0" "$1" "$2"',
      `${filled(end)}
     const ledger = await read();
     const { runs } = await ledger.listRuns();
     const { ok } = await ledger.verify();
     let lines = 0;
     for await (const line of ledger.exportAudit()) if (line !== "") lines++;
     const write = await reasonOf(ledger.createRun({ kind: "exec", title: "", data: {} }));
     await ledger.close();
     console.log(JSON.stringify({ opened: await reasonOf(open(home)), runs: runs.length, ok, isExported: lines > 2, write }));`,
    );
    expect(stderr).toBe("");
    // A log that was left has its index beside it, and so the room for one.
    const opened = end === "close" ? "full" : "done";
    expect(JSON.parse(stdout)).toEqual({ opened, runs: 1, ok: true, isExported: true, write: "full" });
  },
);

test.skipIf(!canMount).each(["close", "leave"])(
  "a home that has become read-only can still be read (the last process did %s it)",
  (end) => {
    const { stdout, stderr } = runMounted(
      'mount -t tmpfs none "$MOUNTED" && "$0" "$1" "$2" && mount -o remount,ro "$MOUNTED"',
      `const home = process.argv[2];
     const ledger = await openLedger({ home, redactor: NO_SECRETS, owner: readOwner(), mayBeUnwritable: true });
     const written = await ledger.createRun({ kind: "exec", title: "", data: {} }).then(() => "done", (error) => error.data.reason);
     const { runs } = await ledger.listRuns();
     await ledger.${end}();
     process.stdout.write(JSON.stringify([written, runs.length, ledger.isReadOnly]) + "\\n", () => process.exit());`,
    );
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toEqual(['["done",1,false]', '["readonly",1,true]']);
  },
);

test.skipIf(!canMount)(
  "a home that only this user may not write is not read without locks: its owner may be writing",
  () => {
    const { stdout, stderr } = runMounted(
      'mount -t tmpfs none "$MOUNTED" && "$0" "$1" "$2" && chmod 555 "$MOUNTED" && exec setpriv --inh-caps=-all --bounding-set=-all "$0" "$1" "$2"',
      `const ledger = await openLedger({ home: process.argv[2], redactor: NO_SECRETS, owner: readOwner(), mayBeUnwritable: true });
     await ledger.close();
     console.log("opened");`,
    );
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toEqual(["opened", '{"code":"ledger.unavailable","reason":"readonly"}']);
  },
);
