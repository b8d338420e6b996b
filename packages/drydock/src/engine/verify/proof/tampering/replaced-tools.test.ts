import { expect, it } from "vitest";
import type { ReplacedTool, WitnessReport } from "../../witness/witness-report.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { findReplacedTool, findToolUser } from "./replaced-tools.ts";

const GROUND = { inputs: new Map(), testSide: new Map() };

function reportOf(replaced: Partial<ReplacedTool>[]): WitnessReport {
  const whole = replaced.map((each) => ({ what: "Math.max", by: null, program: null, holder: null, ...each }));
  return { replaced: whole, modules: [], runners: [] } as unknown as WitnessReport;
}

function judge(tool: Partial<ReplacedTool>, before: Partial<ReplacedTool>[] = []): string | null {
  const records = [{ report: reportOf(before) } as CheckRecord];
  return findReplacedTool(reportOf([tool]), records, GROUND);
}

it.each<Partial<ReplacedTool>>([
  { by: "src/a.js" },
  { by: null },
  { by: "node_modules/lodash/noop.js" },
  { what: "assert.equal", by: "node:assert" },
  { by: "src/a.js", program: "test/run.js" },
  { what: "sorted of test_a.py", by: "a.py", holder: "test_a.py" },
])("what the run put in a tool's place counts: %j", (tool) => {
  expect(judge(tool)).toContain(tool.what ?? "Math.max");
  expect(judge(tool, [tool])).toBeNull();
});

it.each<Partial<ReplacedTool>>([
  { by: "test/a.test.js" },
  { by: "tests/setup.py" },
  { what: "Date", by: "node_modules/@sinonjs/fake-timers/src/x.js" },
  { what: "process.emit", by: "node_modules/signal-exit/index.js" },
  { what: "Math.random", by: "node:internal/test_runner/mock/mock" },
  { what: "builtins.open", by: "/usr/lib/python3.11/unittest/mock.py" },
  { by: "src/cli.js", program: "src/cli.js" },
  { what: "filter of app.py", by: null, holder: "app.py" },
])("what tests do themselves, or what is none of theirs, does not: %j", (tool) => {
  expect(judge(tool)).toBeNull();
});

it("what a runner sets up for itself does not count where it runs for the first time", () => {
  const judgeFirst = (tool: Partial<ReplacedTool>, ran: boolean) => {
    const runners = [{ name: "vitest" as const, complete: true }];
    const before = { ...reportOf([]), runners: ran ? runners : [] };
    return findReplacedTool({ ...reportOf([tool]), runners }, [{ report: before } as CheckRecord], GROUND);
  };
  const exit = { what: "process.exit", by: "node:internal/process/per_thread" };
  expect(judgeFirst(exit, false)).toBeNull();
  expect(judgeFirst(exit, true)).toContain("process.exit");
  expect(judgeFirst({ what: "process.exit", by: "src/a.js" }, false)).toContain("process.exit");
  expect(judgeFirst({ what: "assert.equal", by: "node:assert" }, false)).toContain("assert.equal");
});

it("source that loads what tests are made with is told, unless it did so before", async () => {
  const module = { language: "node" as const, name: "fast-check", by: "src/a.js", found: null, outside: true };
  const report = { replaced: [], modules: [module] } as unknown as WitnessReport;
  const ask = (path: string, text: string) => {
    const before = { read: async () => Buffer.from(text) } as never;
    return findToolUser(report, { changed: [{ path, kind: "changed" }], inputs: new Map(), before });
  };
  expect(await ask("src/a.js", "")).toContain("fast-check");
  expect(await ask("src/a.js", "import fc from 'fast-check'")).toBeNull();
  expect(await ask("src/b.js", "")).toBeNull();
});

it("jest puts its own loader of parts in place, and nobody else does", () => {
  const tool = { what: "Module._extensions..js", by: "node_modules/pirates/lib/index.js" };
  const findFor = (names: string[]) => {
    const report = { ...reportOf([tool]), runners: names.map((name) => ({ name, complete: true })) } as WitnessReport;
    return findReplacedTool(report, [{ report: { ...report, replaced: [] } } as unknown as CheckRecord], GROUND);
  };
  expect(findFor(["jest"])).toBeNull();
  for (const names of [[], ["mocha"], ["jest", "node"]]) expect(findFor(names)).toContain("Module._extensions");
});
