import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installPackages, linkPackage } from "./install-packages.ts";
import { askersOf, type Files, openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

const BODY = `
test("passes", () => {});
test("fails", () => { throw new Error("no"); });
test.skip("skipped", () => {});
describe("group", () => {
  test("passes", () => {});
  for (const n of [1, 2]) test("many", () => { if (n !== 1) throw new Error("no"); });
});
`;

const EXPECTED = {
  "test/a.test.js > passes": "passed",
  "test/a.test.js > fails": "failed",
  "test/a.test.js > skipped": "skipped",
  "test/a.test.js > group > passes": "passed",
  "test/a.test.js > group > many": "passed",
  "test/a.test.js > group > many #2": "failed",
};

interface Runner {
  name: string;
  command: string;
  config: Files;
  /** What a file of tests begins with. */
  head: string;
  expected: Record<string, string>;
}

const RUNNERS: Runner[] = [
  {
    name: "jest",
    command: "node_modules/.bin/jest",
    config: { "package.json": "{}", "jest.config.js": "module.exports = { reporters: ['summary'] };\n" },
    head: "",
    expected: { ...EXPECTED, "test/a.test.js > fails as expected": "expected" },
  },
  {
    name: "vitest",
    command: "node_modules/.bin/vitest run",
    config: {
      "package.json": '{ "type": "module" }',
      "vitest.config.js": "export default { test: { reporters: ['dot'] } };\n",
    },
    head: 'import { describe, expect, test } from "vitest";\n',
    expected: { ...EXPECTED, "test/a.test.js > fails as expected": "expected" },
  },
  {
    name: "mocha",
    command: "node_modules/.bin/mocha test",
    config: { "package.json": "{}" },
    head: "const test = it;\n",
    expected: EXPECTED,
  },
];

const FAILS_AS_EXPECTED: Record<string, string> = {
  jest: 'test.failing("fails as expected", () => { throw new Error("no"); });\n',
  vitest: 'test.fails("fails as expected", () => { throw new Error("no"); });\n',
  mocha: "",
};

describe.each(RUNNERS)("what $name reports", ({ name, command, config, head, expected }) => {
  let workspace: string;
  beforeAll(() => {
    workspace = witness.makeWorkspace(config);
    // The smallest is installed in the workspace, as most are; to copy the others would take long.
    if (name === "mocha") installPackages(workspace, [name]);
    else linkPackage(workspace, name);
  });

  const run = (files: Files, mode: "report" | "record" = "report", option = "") => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
    return witness.report(files, `${command}${option}`, { workspace, mode, withPackages: true });
  };

  it("is each test's outcome", async () => {
    const report = await run({ "test/a.test.js": head + BODY + FAILS_AS_EXPECTED[name] });
    expect(outcomes(report)).toEqual(expected);
    expect(report).toMatchObject({ runners: [{ name, complete: true }], named: [], truncated: false });
    expect(report.exitCode).not.toBe(0);
    expect(report.tests.every(({ file, runner }) => file === "test/a.test.js" && runner === name)).toBe(true);
  });

  it("is which tests passed only when they were tried again", async () => {
    const again = { jest: "jest.retryTimes(1);\n", vitest: "", mocha: "" }[name] ?? "";
    const option = { jest: "", vitest: " --retry=1", mocha: " --retries 1" }[name] ?? "";
    const body =
      'let n = 0;\ntest("again", () => { n += 1; if (n < 2) throw new Error("no"); });\ntest("at once", () => {});\n';
    const report = await run({ "test/a.test.js": head + again + body }, "report", option);
    expect(outcomes(report)).toEqual({ "test/a.test.js > again": "passed", "test/a.test.js > at once": "passed" });
    expect(report.retried).toEqual(["test/a.test.js > again"]);
  });

  it("has no end where a test ends the process", async () => {
    const body = 'test("a", () => {});\ntest("b", async () => { await 1; process.exit(0); });\ntest("c", () => {});\n';
    const report = await run({ "test/a.test.js": head + body });
    // vitest itself notices.
    if (name === "vitest") expect(report.exitCode).not.toBe(0);
    else expect(report.runners).toEqual([{ name, complete: false }]);
    expect(outcomes(report)["test/a.test.js > c"]).not.toBe("skipped");
    expect(report.named.length + report.tests.length).toBeGreaterThan(0);
  });

  it("names tests of a file that can't be loaded", async () => {
    const load = name === "vitest" ? 'import "./nowhere.js";\n' : 'require("./nowhere.js");\n';
    const report = await run({ "test/a.test.js": `${head}${load}test("a", () => {});\n` });
    expect(report.tests).toEqual([]);
    if (name !== "mocha") expect(report.named).toEqual([{ id: "test/a.test.js > a", file: "test/a.test.js" }]);
  });

  it("tells in a record who asked for a file", async () => {
    const isModule = name === "vitest";
    const load = (path: string) =>
      isModule ? `import ${JSON.stringify(path)};\n` : `require(${JSON.stringify(path)});\n`;
    const read = (path: string) =>
      isModule
        ? `import fs from "node:fs";\nfs.readFileSync("${path}");\n`
        : `require("node:fs").readFileSync("${path}");\n`;
    const files = {
      "test/a.test.js": `${head}${load("../src/app.js")}test("a", () => {});\n`,
      "src/app.js": load("./inner.js") + read("src/table.csv"),
      "src/inner.js": "",
      "src/table.csv": "1\n",
    };
    const report = await run(files, "record");
    expect(report.exitCode).toBe(0);
    // jest reads it once more, for what its first comment says.
    expect(new Set(askersOf(report, "test/a.test.js").map((each) => each.replace("open", "import")))).toEqual(
      new Set(["import by null"]),
    );
    expect(askersOf(report, "src/app.js")).toEqual(["import by test/a.test.js"]);
    expect(askersOf(report, "src/inner.js")).toEqual(["import by src/app.js"]);
    expect(askersOf(report, "src/table.csv")).toEqual(["open by src/app.js"]);
  });
});
