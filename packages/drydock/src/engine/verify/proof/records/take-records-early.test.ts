import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { type Check, type CheckPhase, DrydockError } from "@drydock/protocol";
import { expect, it } from "vitest";
import { resolvePolicy } from "../../../../policy/index.ts";
import type { TreeRun, TreeRunner, TreeRunResult } from "../../../ports.ts";
import { judgeTree } from "../../judge-tree.ts";
import { makeTree } from "../../testing/directory-tree.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type EarlyOptions, type EarlyRequest, takeRecordsEarly } from "./take-records-early.ts";

const policy = resolvePolicy({ home: null, workspace: null }).effective;
const [BEFORE, AFTER] = [makeTree({ "a.txt": "bad" }), makeTree({ "a.txt": "good" })];
const FIRST: Check = { type: "command", cmd: "cat a.txt" };
const SECOND: Check = { type: "command", cmd: "ls a.txt" };

interface Run {
  /** Which command, on which tree. */
  what: string;
  request: TreeRun;
  finish(changed?: Partial<TreeRunResult>): void;
  fail(error: Error): void;
}

/** A runner whose runs last until they are told to end, or are cancelled. */
function createSlowRunner() {
  const runs: Run[] = [];
  const seen: string[] = [];
  let wake = () => {};
  const runner: TreeRunner = {
    run(request) {
      // A sandbox without runs that are beside others: these tests are about records.
      if (request.aside) return Promise.reject(new DrydockError("sandbox.unavailable", "No such runs.", "None."));
      const { promise, resolve, reject } = Promise.withResolvers<TreeRunResult>();
      const layer = request.layer ?? BEFORE.layer;
      if (!layer) throw new Error("every tree of these tests has a layer");
      const where =
        layer.treeHash === BEFORE.treeHash ? "before" : layer.treeHash === AFTER.treeHash ? "after" : "other";
      const what = request.command ? `${JSON.parse(request.stdin ?? "{}").command} on ${where}` : "command";
      const usage = { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };
      const ended = { ok: true, stdout: "", stderr: "", result: null, error: null, usage, exitCode: 0, layer };
      const finish = (changed = {}) => resolve({ ...ended, changedUnderneath: [], ...changed });
      const fail = (error: Error) => reject(error);
      request.signal?.addEventListener("abort", () => fail(new DrydockError("run.cancelled", "Ended.", "Again.")));
      runs.push({ what, request, finish, fail });
      seen.push(what);
      wake();
      return promise;
    },
  };
  /** The next run, once it has begun. */
  const next = async (): Promise<Run> => {
    for (;;) {
      const run = runs.shift();
      if (run) return run;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { runner, next, seen };
}

function open({ signal = new AbortController().signal, ...options }: EarlyOptions & { signal?: AbortSignal } = {}) {
  const slow = createSlowRunner();
  const records = createMemoryStore();
  const phases: string[] = [];
  const ports = { policy, runner: slow.runner, records, signal };
  const onStart = (check: Check, phase: CheckPhase) => phases.push(`${"cmd" in check && check.cmd}: ${phase}`);
  const judge = (checks: Check[]) =>
    judgeTree({ ...ports, checks, tree: AFTER, before: BEFORE, scope: ["**"], onStart });
  const early = takeRecordsEarly(ports, { quietMs: 0, processors: 1, ...options });
  return { ...slow, ports, phases, judge, early };
}

function requestFor(checks: Check[], guarded: Check[] = checks): EarlyRequest {
  return { checks, guarded, openTrees: async () => ({ before: BEFORE, untouched: BEFORE }) };
}

/** Lets all go on that can. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

it("takes each record once, one after the other, and whoever judges finds them", async () => {
  const t = open();
  t.early.begin(requestFor([FIRST, FIRST], [SECOND]));
  takeRecordsEarly(t.ports, { quietMs: 0, processors: 1 }).begin(requestFor([SECOND]));
  (await t.next()).finish();
  await settle();
  (await t.next()).finish();
  await settle();
  expect(t.seen).toEqual(["cat a.txt on before", "ls a.txt on before"]);
  const judged = t.judge([FIRST, SECOND]);
  for (const _ of [FIRST, SECOND]) (await t.next()).finish();
  await judged;
  expect(t.seen.slice(2)).toEqual(["cat a.txt on after", "ls a.txt on after"]);
  expect(t.phases).toEqual(["cat a.txt: result", "ls a.txt: result"]);
});

it("whoever judges waits for the one under way, is told of it once, and takes the others", async () => {
  const t = open();
  const stopTaking = t.early.begin(requestFor([FIRST, SECOND]));
  const first = await t.next();
  stopTaking();
  const judged = t.judge([FIRST, SECOND]);
  await settle();
  expect(t.seen).toEqual(["cat a.txt on before"]);
  expect(t.phases).toEqual(["cat a.txt: untouched"]);
  first.finish();
  for (let run = 0; run < 3; run++) (await t.next()).finish();
  await judged;
  expect(t.seen.slice(1)).toEqual(["ls a.txt on before", "cat a.txt on after", "ls a.txt on after"]);
  const wanted = ["cat a.txt: untouched", "ls a.txt: untouched", "cat a.txt: result", "ls a.txt: result"];
  expect(t.phases).toEqual(wanted);
});

it.each([
  ["fails", (run: Run) => run.fail(new DrydockError("sandbox.unavailable", "No sandbox.", "Get one."))],
  ["saw the directory below change", (run: Run) => run.finish({ changedUnderneath: ["a.txt"] })],
])("an early run that %s counts for nothing: the record is taken again", async (_, end) => {
  const t = open();
  t.early.begin(requestFor([FIRST]));
  const run = await t.next();
  const judged = t.judge([FIRST]);
  await settle();
  end(run);
  for (const where of ["before", "after"]) {
    const again = await t.next();
    expect(again.what).toBe(`cat a.txt on ${where}`);
    again.finish();
  }
  expect(await judged).toMatchObject({ repeated: 0 });
  expect(t.phases).toEqual(["cat a.txt: untouched", "cat a.txt: result"]);
  await t.early.end();
});

it.each(["the task ends", "the run is cancelled"])("nothing is left when %s", async (why) => {
  const cancel = new AbortController();
  const t = open({ signal: cancel.signal });
  t.early.begin(requestFor([FIRST, SECOND]));
  const { request } = await t.next();
  if (why === "the run is cancelled") cancel.abort();
  await t.early.end();
  expect(request.signal?.aborted).toBe(true);
  t.early.begin(requestFor([FIRST, SECOND]));
  await t.early.end();
  expect(t.seen).toEqual(["cat a.txt on before"]);
});

it("whoever judges is not kept waiting after a cancel, whoever takes the record", async () => {
  const cancel = new AbortController();
  const t = open();
  t.early.begin(requestFor([FIRST]));
  const other = await t.next();
  const judged = judgeTree({
    ...{ ...t.ports, signal: cancel.signal },
    ...{ checks: [FIRST], tree: AFTER, before: BEFORE, scope: ["**"] },
  });
  await settle();
  cancel.abort();
  await expect(judged).rejects.toMatchObject({ name: "AbortError" });
  expect(other.request.signal?.aborted).toBe(false);
  await t.early.end();
});

/** What the driver of a check sends of a suite with one test that fails. */
function reportOf({ request }: Run, lines: readonly string[][]): string {
  const { marker } = JSON.parse(request.stdin ?? "{}");
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const packed = deflateSync(text).toString("base64");
  return `\n${marker}${JSON.stringify({ exitCode: 1, services: [], truncated: false, lines: packed, root: "/work" })}\n`;
}

const BEGUN = [
  ["start", "node", "1"],
  ["test", "node", "a.test.js > a", "failed", "a.test.js"],
];
const COMPLETE = [...BEGUN, ["end", "node", "1"]];

it("a command and a record that is over soon run beside each other, and the record counts", async () => {
  const t = open({ processors: 2 });
  t.early.begin(requestFor([FIRST]));
  const taken = await t.next();
  const command = t.early.runner.run({ layer: null, code: "true", timeoutSeconds: 1 });
  await settle();
  expect(t.seen).toEqual(["cat a.txt on before", "command"]);
  taken.finish({ exitCode: 1, stderr: reportOf(taken, COMPLETE) });
  (await t.next()).finish();
  await command;
  const judged = t.judge([FIRST]);
  (await t.next()).fail(new DrydockError("sandbox.unavailable", "No sandbox.", "Get one."));
  await expect(judged).rejects.toThrow("No sandbox.");
  expect(t.seen.slice(2)).toEqual(["cat a.txt on after"]);
  await t.early.end();
});

it.each<[string, readonly string[][] | null]>([
  ["no test runner told of", null],
  ["a test runner did not end", BEGUN],
])("beside a command, a failure that %s is none: the record is taken again", async (_, lines) => {
  const t = open({ processors: 2 });
  const command = t.early.runner.run({ layer: null, code: "true", timeoutSeconds: 1 });
  const running = await t.next();
  t.early.begin(requestFor([FIRST]));
  const taken = await t.next();
  taken.finish({ exitCode: 1, ...(lines && { stderr: reportOf(taken, lines) }) });
  await settle();
  expect(t.seen).toEqual(["command", "cat a.txt on before"]);
  running.finish();
  await command;
  const again = await t.next();
  expect(again.what).toBe("cat a.txt on before");
  again.finish({ exitCode: 1, ...(lines && { stderr: reportOf(again, lines) }) });
  await settle();
  await t.early.end();
  expect(t.seen).toHaveLength(3);
});

it("what is not over soon has no command beside it", async () => {
  const t = open({ processors: 2, shortMs: 1 });
  t.early.begin(requestFor([FIRST]));
  const alone = await t.next();
  await sleep(5);
  expect(alone.request.signal?.aborted).toBe(false);
  const command = t.early.runner.run({ layer: null, code: "true", timeoutSeconds: 1 });
  expect(alone.request.signal?.aborted).toBe(true);
  await settle();
  expect(t.seen).toEqual(["cat a.txt on before", "command"]);
  (await t.next()).finish();
  await command;
  expect((await t.next()).what).toBe("cat a.txt on before");
  await t.early.end();
});

it("with one processor no command runs beside it: the record is taken afterwards, a few times at most", async () => {
  const t = open();
  t.early.begin(requestFor([FIRST]));
  for (let tries = 0; tries < 3; tries++) {
    const { what, request } = await t.next();
    expect(what).toBe("cat a.txt on before");
    const command = t.early.runner.run({ layer: null, code: "true", timeoutSeconds: 1 });
    expect(request.signal?.aborted).toBe(true);
    await settle();
    expect(t.seen.at(-1)).toBe("command");
    (await t.next()).finish();
    await command;
    await settle();
  }
  expect(t.seen).toHaveLength(6);
});

it("begins nothing where no check runs a command, and nothing more once the work is done", async () => {
  const t = open();
  const openTrees = () => Promise.reject(new Error("nobody asked for them"));
  t.early.begin({ ...requestFor([{ type: "file_exists", path: "a.txt" }]), openTrees });
  t.early.begin({ ...requestFor([FIRST]), openTrees });
  t.early.begin(requestFor([FIRST]))();
  await settle();
  expect(t.seen).toEqual([]);
  await t.early.end();
});
