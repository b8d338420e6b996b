import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestLedger, type TestLedger } from "../testing/open-test-ledger.ts";
import { isOnPostgres } from "../testing/postgres/test-databases.ts";

const USAGE = { calls: 2, inputTokens: 1200, outputTokens: 80, costUsd: 0.0125 };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
let place: TestLedger;
let minute = 0;

beforeAll(async () => {
  place = await openTestLedger({ now: () => at(minute) });
  const { ledger } = place;
  const create = async (
    kind: "exec" | "goal" | "runner",
    title: string,
    data = {},
    workspace: string | null = null,
  ) => {
    minute += 1;
    return (await ledger.createRun({ kind, title, workspace, data })).id;
  };
  const goal = await create("goal", "Make add() add 100%", { request: {} }, "/work/calc");
  minute += 1;
  await ledger.finish(goal, { type: "run.succeeded", data: { verdict: "passed", treeHash: "t", usage: USAGE } });
  const failed = await create("exec", "pytest -q");
  await ledger.finish(failed, { type: "run.failed", data: { error: { code: "code.exit" } } });
  await create("exec", "Print ÄÖ");
  const runner = await create("runner", "scout: hello", { request: { agent: { name: "scout" } } });
  await ledger.finish(runner, { type: "run.succeeded", data: { usage: { input_tokens: 7, output_tokens: 3 } } });
  const replay = await create("goal", "Replay of it", { request: { replayOf: goal } }, "/work/calc");
  await ledger.finish(replay, { type: "run.succeeded", data: { verdict: "passed", usage: USAGE } });
});
afterAll(() => place[Symbol.asyncDispose]());

const titles = async (options: Parameters<TestLedger["ledger"]["listRuns"]>[0]) =>
  (await place.ledger.listRuns(options)).runs.map(({ title }) => title);

describe("a list of runs", () => {
  it("shows agent, duration, tokens and cost of each run, and no cost of a replay", async () => {
    const { runs } = await place.ledger.listRuns();
    const [replay, runner, running, , goal] = runs;
    expect(goal).toMatchObject({
      durationMs: 60_000,
      costUsd: 0.0125,
      inputTokens: 1200,
      outputTokens: 80,
      agent: null,
    });
    expect(runner).toMatchObject({ agent: "scout", inputTokens: 7, outputTokens: 3, costUsd: null });
    expect(running).toMatchObject({ status: "running", durationMs: null, costUsd: null });
    expect(replay).toMatchObject({ verdict: "passed", costUsd: null, inputTokens: null });
  });

  it.each([
    [{ kind: "exec" } as const, ["Print ÄÖ", "pytest -q"]],
    [{ kind: ["goal", "runner"] } as const, ["Replay of it", "scout: hello", "Make add() add 100%"]],
    [{ verdict: "passed" } as const, ["Replay of it", "Make add() add 100%"]],
    [{ status: ["failed", "running"] } as const, ["Print ÄÖ", "pytest -q"]],
    [{ workspace: "/work/calc", kind: "goal", text: "ADD make" } as const, ["Make add() add 100%"]],
    [{ text: "100%" }, ["Make add() add 100%"]],
    [{ text: "1%0" }, []],
    [{ text: "work/calc" }, ["Replay of it", "Make add() add 100%"]],
    [{ text: "' or 1=1 --" }, []],
    [{ agent: "scout" }, ["scout: hello"]],
    [{ agent: "nobody" }, []],
    [{ since: at(4).toISOString(), until: at(5).toISOString() }, ["Print ÄÖ"]],
    [{ until: at(3).toISOString() }, ["Make add() add 100%"]],
  ])("is narrowed by %j", async (options, expected) => {
    expect(await titles(options)).toEqual(expected);
  });

  it("finds a run by its id, and says what is no time", async () => {
    const [newest] = (await place.ledger.listRuns({ limit: 1 })).runs;
    expect(await titles({ text: newest?.id })).toEqual(["Replay of it"]);
    await expect(titles({ since: "yesterday" })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("comes with counts by kind, status and verdict of the runs that fit", async () => {
    const all = await place.ledger.countMatching();
    expect(all).toMatchObject({ total: 5, complete: true });
    expect(all.counts).toContainEqual({ kind: "goal", status: "succeeded", verdict: "passed", runs: 2 });
    const found = await place.ledger.countMatching({ text: "add", kind: "goal" });
    expect(found.counts).toEqual([{ kind: "goal", status: "succeeded", verdict: "passed", runs: 1 }]);
  });

  it.skipIf(isOnPostgres).each([
    ["kind", { kind: "goal" }, "runs_by_kind"],
    ["verdict", { verdict: "passed" }, "runs_by_verdict"],
    ["workspace", { workspace: "/work/calc" }, "runs_by_workspace"],
  ])("by %s reads an index, not every row", async (column, _, index) => {
    const literal = { kind: "kind not in ('exec', 'session')", verdict: "verdict <> 'unverified'" }[column] ?? "1 = 1";
    const plan = place.query(
      `explain query plan select * from runs where ${column} in (?) and ${literal} order by id desc limit 51`,
      "x",
    );
    expect(JSON.stringify(plan)).toContain(index);
  });

  it("whose facts somebody changed does not pass the audit", async () => {
    expect(await place.ledger.verify()).toMatchObject({ ok: true });
    place.tamper("update run_facts set micro_usd = 1 where micro_usd is not null");
    expect(await place.ledger.verify()).toMatchObject({
      ok: false,
      first: { problem: expect.stringContaining("micro_usd") },
    });
    place.tamper("update run_facts set micro_usd = 12500 where micro_usd is not null");
    expect(await place.ledger.verify()).toMatchObject({ ok: true });
  });
});

describe.skipIf(isOnPostgres)("facts of runs that an earlier version recorded", () => {
  it("are read from their events once", async () => {
    const before = place.query("select * from run_facts order by run_id");
    place.tamper("drop table run_facts");
    for (const index of ["runs_by_kind", "runs_by_verdict", "runs_by_workspace"]) place.tamper(`drop index ${index}`);
    // What came after it was not there either.
    place.tamper("drop table sources");
    place.tamper("alter table runs drop column fence");
    place.tamper("delete from kysely_migration where name >= '0010'");
    const { ledger } = await openTestLedger({ home: place.home });
    await ledger.close();
    expect(place.query("select * from run_facts order by run_id")).toEqual(before);
    expect(before).toHaveLength(2);
  });
});
