import { describe, expect, it } from "vitest";
import { askersOf, openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

const TESTS = `
import { describe, it, test } from "node:test";
import assert from "node:assert";

test("passes", () => {});
test("fails", () => assert.equal(1, 2));
test("skipped", { skip: true }, () => {});
test("todo", { todo: true }, () => assert.fail());
test("outer", async (t) => { await t.test("inner", () => {}); });
for (const n of [1, 2]) test("many", () => assert.equal(n, 1));
describe("group", () => {
  it("passes", () => {});
  it("throws", () => { throw new Error("no"); });
});
`;

const EXPECTED = {
  "test/a.test.mjs > passes": "passed",
  "test/a.test.mjs > fails": "failed",
  "test/a.test.mjs > skipped": "skipped",
  "test/a.test.mjs > todo": "expected",
  "test/a.test.mjs > outer": "passed",
  "test/a.test.mjs > outer > inner": "passed",
  "test/a.test.mjs > many": "passed",
  "test/a.test.mjs > many #2": "failed",
  "test/a.test.mjs > group > passes": "passed",
  "test/a.test.mjs > group > throws": "failed",
};

describe("what node --test reports", () => {
  it.each([
    "node --test",
    "node --test --test-reporter=dot",
    "node --test --test-isolation=none",
    "node test/a.test.mjs",
    "NODE_OPTIONS=--no-warnings node --test",
  ])("is the same by %s", async (command) => {
    const report = await witness.report({ "test/a.test.mjs": TESTS }, command);
    expect(outcomes(report)).toEqual(EXPECTED);
    expect(report).toMatchObject({
      exitCode: 1,
      runners: [{ name: "node", complete: true }],
      named: [],
      truncated: false,
    });
    expect(report.tests.every(({ file }) => file === "test/a.test.mjs")).toBe(true);
  });

  it("covers TypeScript, and files that are tests by themselves", async () => {
    const files = {
      "a.test.ts":
        'import { test } from "node:test";\nconst n: number = 1;\ntest("typed", () => { if (n !== 1) throw n; });\n',
      "b.test.js": "if (1 + 1 !== 2) throw 1;\n",
    };
    const report = await witness.report(files, "node --test");
    expect(outcomes(report)).toEqual({ "a.test.ts > typed": "passed", "b.test.js": "passed" });
  });

  it("names the tests of a file that can't be loaded, and of one that ends itself", async () => {
    const missing =
      'const { test } = require("node:test");\nrequire("./nowhere");\ntest("one", () => {});\ntest.skip("two");\n';
    const ends = 'const { test } = require("node:test");\nprocess.exit(0);\ntest("three", () => {});\n';
    const report = await witness.report({ "a.test.js": missing, "b.test.js": ends }, "node --test");
    expect(report.tests).toEqual([]);
    expect(report.named.map(({ id }) => id).sort()).toEqual([
      "a.test.js > one",
      "a.test.js > two",
      "b.test.js > three",
    ]);
  });

  it("has no end where a test ends the process", async () => {
    for (const end of ["process.exit(0)", "process.kill(process.pid, 'SIGKILL')"]) {
      const source = `const { test } = require("node:test");\ntest("a", () => {});\ntest("b", async () => { await new Promise((go) => setTimeout(go, 100)); ${end}; });\ntest("c", () => {});\n`;
      const report = await witness.report({ "a.test.js": source }, "node --test");
      expect(report.runners).toEqual([{ name: "node", complete: false }]);
      expect(outcomes(report)["a.test.js > c"]).toBeUndefined();
      expect(report.named.map(({ id }) => id)).toContain("a.test.js > c");
    }
  });

  it("leaves out tests that a pattern leaves out, and keeps all of a large suite", async () => {
    const source =
      'const { test } = require("node:test");\nfor (let n = 0; n < 2000; n++) test("many " + n, () => {});\ntest("other", () => {});\n';
    const report = await witness.report({ "a.test.js": source }, "node --test --test-name-pattern=many");
    expect(report.tests).toHaveLength(2000);
    expect(report).toMatchObject({ truncated: false, named: [], exitCode: 0 });
  });
});

describe("what a record of Node tells", () => {
  it("is who asked for a file", async () => {
    const files = {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }',
      "test/a.test.js": [
        'import { test } from "node:test";',
        'import { readFile } from "node:fs/promises";',
        'import { execFileSync } from "node:child_process";',
        'import "../src/app.js";',
        'test("data", async () => { await readFile("test/data.txt"); });',
        'test("tool", () => { execFileSync(process.execPath, ["src/tool.cjs"]); });',
        'test("missing", async () => { await import("./nowhere.js").catch(() => {}); });',
        "",
      ].join("\n"),
      "test/data.txt": "x",
      "src/app.js": 'import { readFileSync } from "node:fs";\nimport "./inner.cjs";\nreadFileSync("src/table.csv");\n',
      "src/inner.cjs": "",
      "src/table.csv": "1\n",
      "src/tool.cjs": 'require("./inner.cjs");\n',
    };
    const report = await witness.report(files, "node --test", { mode: "record" });
    expect(report.exitCode).toBe(0);
    expect(askersOf(report, "test/a.test.js")).toEqual(["run by null"]);
    expect(askersOf(report, "src/app.js")).toEqual(["import by test/a.test.js"]);
    expect(askersOf(report, "src/inner.cjs")).toEqual(["import by src/app.js", "import by src/tool.cjs"]);
    expect(askersOf(report, "src/table.csv")).toEqual(["open by src/app.js"]);
    expect(askersOf(report, "test/data.txt")).toEqual(["open by test/a.test.js"]);
    expect(askersOf(report, "src/tool.cjs")).toEqual(["run by test/a.test.js"]);
    expect(report.modules).toEqual(
      expect.arrayContaining([
        { language: "node", name: "../src/app.js", by: "test/a.test.js", found: "src/app.js", outside: false },
        { language: "node", name: "./nowhere.js", by: "test/a.test.js", found: null, outside: false },
        { language: "node", name: "node:fs", by: "src/app.js", found: "node:fs", outside: true },
      ]),
    );
  });
});
