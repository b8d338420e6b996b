import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunKind } from "@drydock/protocol";
import { createDock, type Dock } from "drydock";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { copyLedger, type Ledger, openLedger, readOwner } from "../../src/ledger/index.ts";
import { addResponse } from "../../src/ledger/testing/add-capability-run.ts";
import { makeHome, NO_SECRETS } from "../../src/ledger/testing/open-test-ledger.ts";
import { databaseOf, giveBackDatabase } from "../../src/ledger/testing/postgres/test-databases.ts";
import { spawnCli } from "../../src/surfaces/cli/testing/run-cli.ts";

const directory = useTemporaryDirectory();
const home = join(directory, "home");
let goal = "";
let artifact = "";

/** An empty database, for one test. */
function prepareDatabase(): string {
  const name = makeHome();
  onTestFinished(() => {
    giveBackDatabase(name);
    rmSync(name, { recursive: true, force: true });
  });
  return databaseOf(name) ?? "";
}

async function useLedger<T>(databaseUrl: string | null, use: (ledger: Ledger) => Promise<T>, at = home): Promise<T> {
  const ledger = await openLedger({ home: at, databaseUrl, redactor: NO_SECRETS, owner: readOwner() });
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** A home with runs that were really carried out, and with one of each other kind. */
beforeAll(async () => {
  const dock = await createDock({ home, warm: 1 });
  try {
    await carryOut(dock);
  } finally {
    await dock.close();
  }
  await useLedger(null, async (ledger) => {
    await addResponse(ledger, "what an extension answered");
    for (const kind of RunKind.options.filter((name) => name !== "capability")) {
      const { id } = await ledger.createRun({ kind, title: `a run of the kind ${kind}`, workspace: "/w", data: {} });
      await ledger.append(
        id,
        Array.from({ length: 150 }, (_, n) => ({ type: "output.recorded", data: { n, text: "ü€\t" } })),
      );
      await ledger.blobs.putAll([Buffer.from(`layer of ${kind}`), Buffer.alloc(300_000, kind)], { runId: id });
      if (kind === "goal") goal = id;
      if (kind === "goal") await ledger.pause(id, { reason: "a person is asked" });
      else await ledger.finish(id, { type: "run.succeeded", data: {} });
    }
    const [first] = await ledger.listRuns({ limit: 1 }).then(({ runs }) => runs);
    const file = { runId: first?.id ?? "", name: "numbers.csv", mime: "text/csv" };
    artifact = (await ledger.artifacts.put(Buffer.from("a,b\n1,2\n"), file)).id;
    await ledger.signHead();
  });
});

async function carryOut(dock: Dock): Promise<void> {
  await dock.exec({ language: "python", code: "print(1); open('made.txt', 'w').write('x')" });
  await dock.exec({ language: "bash", code: "exit 3" });
  const session = await dock.sessions.open();
  await session.exec("a = 41");
  await session.exec("print(a + 1)");
  await session.close();
  writeFileSync(
    join(directory, "handbook.md"),
    "# Harbour\n\nThe crane lifts forty tons.\n\n# Pier\n\nFerries moor here.\n",
  );
  await dock.knowledge.add("handbook", [join(directory, "handbook.md")]);
}

const counts = (databaseUrl: string | null) =>
  useLedger(databaseUrl, async (ledger) => ({
    report: await ledger.verify(),
    runs: (await ledger.listRuns({ limit: 1000 })).runs,
  }));

describe("a copy", () => {
  test("has the same chains, runs, contents and passages, and goes on where the original stopped", async () => {
    const database = prepareDatabase();
    const original = await counts(null);
    expect(new Set(original.runs.map(({ kind }) => kind))).toEqual(new Set(RunKind.options));
    const result = await copyLedger({ home, databaseUrl: database });
    expect(result).toMatchObject({ head: original.report.head, resumed: false });
    expect(await counts(database)).toEqual(original);

    // Another machine, without any of the home's files.
    const far = makeHome();
    onTestFinished(() => rmSync(far, { recursive: true, force: true }));
    await useLedger(
      database,
      async (ledger) => {
        expect((await ledger.artifacts.read(artifact)).toString()).toBe("a,b\n1,2\n");
        const [blob = ""] = await ledger.blobs.list(goal);
        expect((await ledger.blobs.readWhole(blob)).length).toBeGreaterThan(5);
        const knowledge = await ledger.openKnowledge();
        const base = await knowledge.find("handbook");
        const search = { base: base?.seq ?? 0, question: "crane lifts", limit: 3 };
        expect(await knowledge.searchWords(search)).toMatchObject([{ source: expect.stringContaining("handbook.md") }]);
        await ledger.resume(goal);
        await ledger.finish(goal, { type: "run.succeeded", data: {} });
        const { id } = await ledger.createRun({ kind: "exec", title: "after the copy", data: {} });
        await ledger.finish(id, { type: "run.succeeded", data: {} });
        // The head that the original signed last is still there, and its signature counts.
        expect(await ledger.verify()).toMatchObject({ ok: true, runs: original.report.runs + 1 });
      },
      far,
    );
  });

  test("that is stopped anywhere goes on where it was, and is nobody's ledger before", async () => {
    const database = prepareDatabase();
    for (const stop of ["contents", "events", "heads", "blob_refs", "sessions"]) {
      const failing = copyLedger({
        ...{ home, databaseUrl: database },
        onProgress({ what }) {
          if (what === stop) throw new Error(`stopped at ${stop}`);
        },
      });
      await expect(failing).rejects.toThrow(`stopped at ${stop}`);
      await expect(useLedger(database, (ledger) => ledger.countRuns())).rejects.toMatchObject({
        data: { reason: "copying" },
      });
    }
    const finished = await spawnCli(home, ["db", "copy", "--json"], "", { DATABASE_URL: database }).finished;
    expect(JSON.parse(finished.stdout)).toMatchObject({ resumed: true });
    expect(await counts(database)).toEqual(await counts(null));
  });

  test("begins anew where the home has gone on meanwhile", async () => {
    const database = prepareDatabase();
    const onProgress = ({ what }: { what: string }) => {
      if (what === "heads") throw new Error("stopped");
    };
    await expect(copyLedger({ home, databaseUrl: database, onProgress })).rejects.toThrow("stopped");
    await useLedger(null, async (ledger) => {
      const { id } = await ledger.createRun({ kind: "exec", title: "meanwhile", data: {} });
      await ledger.finish(id, { type: "run.succeeded", data: {} });
    });
    expect(await copyLedger({ home, databaseUrl: database })).toMatchObject({ resumed: false });
    expect(await counts(database)).toEqual(await counts(null));
  });

  test("is refused where there is something already, and while a run is under way", async () => {
    const database = prepareDatabase();
    await copyLedger({ home, databaseUrl: database });
    await expect(copyLedger({ home, databaseUrl: database })).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("is not empty"),
    });
    const other = makeHome();
    onTestFinished(() => rmSync(other, { recursive: true, force: true }));
    const half = prepareDatabase();
    const stop = () => {
      throw new Error("stopped");
    };
    await expect(copyLedger({ home, databaseUrl: half, onProgress: stop })).rejects.toThrow("stopped");
    const { id } = await useLedger(null, (ledger) => ledger.createRun({ kind: "exec", title: "a", data: {} }), other);
    await expect(copyLedger({ home: other, databaseUrl: half })).rejects.toMatchObject({
      message: expect.stringContaining(`run ${id}`),
    });
    await useLedger(null, (ledger) => ledger.finish(id, { type: "run.succeeded", data: {} }), other);
    await expect(copyLedger({ home: other, databaseUrl: half })).rejects.toMatchObject({
      message: expect.stringContaining("a copy of another home"),
    });
  });

  test("of a home whose chain or contents are damaged is refused, and nobody takes it for a ledger", async () => {
    const database = prepareDatabase();
    const bad = makeHome();
    onTestFinished(() => rmSync(bad, { recursive: true, force: true }));
    const path = await useLedger(
      null,
      async (ledger) => {
        const { id } = await ledger.createRun({ kind: "exec", title: "a", data: {} });
        await ledger.finish(id, { type: "run.succeeded", data: {} });
        return ledger.blobs.path((await ledger.blobs.put(Buffer.from("whole"), { runId: id })).sha256);
      },
      bad,
    );
    writeFileSync(path, "wrong");
    await expect(copyLedger({ home: bad, databaseUrl: database })).rejects.toMatchObject({
      message: expect.stringContaining("its hash does not match"),
    });
    await expect(useLedger(database, (ledger) => ledger.countRuns(), bad)).rejects.toMatchObject({
      data: { reason: "copying" },
    });
  });
});

test("drydock db says where the ledger is, who uses it, and what to do", async () => {
  const database = prepareDatabase();
  const run = (words: string[], DATABASE_URL = database) => spawnCli(home, words, "", { DATABASE_URL }).finished;
  expect((await run(["db", "status"], "")).stdout).toMatch(
    /^database {2}.*home\/ledger\.db \(SQLite [\d.]+\)\nschema {4}\d{4}-/,
  );
  expect(await run(["db", "copy"], "")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("DATABASE_URL is not set"),
  });
  const copied = await run(["db", "copy"]);
  expect(copied).toMatchObject({ status: 0, stdout: expect.stringContaining("Both chains verify") });
  const status = await run(["db", "status"]);
  expect(status.stdout).toContain(home);
  expect((await run(["du"])).stdout).toMatch(/^ledger +[\d.]+ MB +the database: runs and events\n/);
  expect((await run(["db", "migrate"])).stdout).toBe("Nothing to migrate.\n");
});
