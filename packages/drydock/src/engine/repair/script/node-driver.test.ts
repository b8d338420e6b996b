import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NODE_CHILD } from "./node-child.ts";
import { NODE_REPAIR_DRIVER } from "./node-driver.ts";
import { SUPERVISOR } from "./supervisor.ts";

const TEST = 'import assert from "node:assert";\nimport { test } from "node:test";\nimport { n } from "../a.js";\n';
let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "drydock-driver-"));
  mkdirSync(join(directory, "test"));
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
  writeFileSync(join(directory, "a.js"), "export const n = 1;\n");
  writeFileSync(join(directory, "test/helper.js"), "export const help = 1;\n");
  writeFileSync(join(directory, "test/a.test.js"), `${TEST}test("n", () => assert.equal(n, 3));\n`);
});
afterAll(() => rmSync(directory, { recursive: true }));

const ASKED = {
  ...{
    patterns: [],
    environment: {},
    files: ["a.js"],
    child: NODE_CHILD,
    supervisor: SUPERVISOR,
    guarded: {},
    memoryMb: 256,
    seconds: 20,
  },
  ...{ failing: ["test/a.test.js:4:n"], errors: 0, allowedMs: 2000 },
};

function run(program: string, asked: object): Record<string, unknown>[] {
  const input = JSON.stringify({ ...ASKED, ...asked });
  const printed = execFileSync(process.execPath, ["-e", program], { cwd: directory, input, encoding: "utf8" });
  return (
    printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      // On a busy machine, a sign of life comes between.
      .filter((line) => !("beat" in line))
  );
}

const candidates = ["2", "3", "4"].map((text, id) => ({ id, edits: [["a.js", 17, 18, text]] }));
const judged = [
  { candidate: 0, fixed: 0, failing: 1, late: false },
  { candidate: 1, fixed: 1, failing: 0, late: false },
  { candidate: 2, fixed: 0, failing: 1, late: false },
];

test("a file among the tests that declares none is not broken", () => {
  expect(run(NODE_REPAIR_DRIVER, { job: "survey" })).toMatchObject([{ survey: { errors: 0 } }]);
  writeFileSync(join(directory, "test/a.test.js"), `${TEST}test("n", () => assert.equal(n, 3));\n`);
  const reply = run(NODE_REPAIR_DRIVER, { job: "tests", candidates });
  expect(reply.filter((line) => "candidate" in line)).toEqual(judged);
});

test("a file that can't be loaded in the untouched tree either is not held against a candidate", () => {
  writeFileSync(join(directory, "test/odd.test.js"), 'import "./missing.js";\n');
  expect(run(NODE_REPAIR_DRIVER, { job: "survey" })).toMatchObject([{ survey: { errors: 1 } }]);
  writeFileSync(join(directory, "test/a.test.js"), `${TEST}test("n", () => assert.equal(n, 3));\n`);
  writeFileSync(join(directory, "test/odd.test.js"), 'import "./missing.js";\n');
  const reply = run(NODE_REPAIR_DRIVER, { job: "tests", candidates, errors: 1 });
  rmSync(join(directory, "test/odd.test.js"));
  expect(reply.filter((line) => "candidate" in line)).toEqual(judged);
});

test.each([
  ["more bytes than are kept", "KEPT_BYTES = 64 << 20", "KEPT_BYTES = 1"],
  ["more files than are watched", "MAX_FILES = 20000", "MAX_FILES = 1"],
])("each candidate is tried by itself in a tree of %s", (_, limit, small) => {
  const program = NODE_REPAIR_DRIVER.replace(limit, small);
  expect(program).not.toBe(NODE_REPAIR_DRIVER);
  const reply = run(program, { job: "tests", candidates });
  expect(reply.filter((line) => "candidate" in line)).toEqual(judged);
  expect(readFileSync(join(directory, "a.js"), "utf8")).toBe("export const n = 1;\n");
});

test("a file that can't be put back ends the use of its sandbox", () => {
  writeFileSync(join(directory, "data.bin"), "12");
  writeFileSync(
    join(directory, "test/a.test.js"),
    `${TEST}import fs from "node:fs";\ntest("n", () => { fs.writeFileSync("data.bin", "other"); assert.equal(n, 3); });\n`,
  );
  const program = NODE_REPAIR_DRIVER.replace("KEPT_BYTES = 64 << 20", "KEPT_BYTES = 1");
  const reply = run(program, { job: "tests", candidates, failing: ["test/a.test.js:5:n"] });
  expect(reply.filter((line) => "candidate" in line)).toHaveLength(1);
});

test.each([
  ["makes directories", 'fs.mkdirSync("out"); fs.writeFileSync("out/file", "");'],
  ["removes an empty directory", 'fs.rmdirSync("empty");'],
])("a candidate whose test %s leaves nothing of it to the next one", (_, act) => {
  mkdirSync(join(directory, "empty"), { recursive: true });
  writeFileSync(
    join(directory, "test/a.test.js"),
    `${TEST}import fs from "node:fs";\ntest("n", () => { ${act} assert.equal(n, 3); });\n`,
  );
  const reply = run(NODE_REPAIR_DRIVER, { job: "tests", candidates, failing: ["test/a.test.js:5:n"] });
  expect(reply.filter((line) => "candidate" in line)).toEqual(judged);
});

test("a link to nothing among the tests is passed over", () => {
  symlinkSync("nowhere.js", join(directory, "test/lost.test.js"));
  writeFileSync(join(directory, "test/a.test.js"), `${TEST}test("n", () => assert.equal(n, 3));\n`);
  const reply = run(NODE_REPAIR_DRIVER, { job: "tests", candidates });
  rmSync(join(directory, "test/lost.test.js"));
  expect(reply.filter((line) => "candidate" in line)).toEqual(judged);
});

test.each([
  ["a prototype", "(Array.prototype.map = () => [], 2)"],
  ["a variable of the environment", '(process.env.HARM = "1", 2)'],
  ["the directory", '(process.chdir("/"), 2)'],
  ["a global", "(globalThis.harm = 1, 2)"],
  ["an assertion", '(process.getBuiltinModule("assert").strict.equal = () => { throw 1; }, 2)'],
])("a candidate that changes %s does not change it for the next one, which shares its process", (_, harm) => {
  writeFileSync(
    join(directory, "test/a.test.js"),
    `import { strict as assert } from "node:assert";\nimport { test } from "node:test";\nimport { n } from "../a.js";\ntest("n", () => { assert.equal([process.env.HARM, globalThis.harm, process.cwd() === "/", n].map(String).join(), "undefined,undefined,false,3"); });\n`,
  );
  const both = [harm, "3"].map((text, id) => ({ id, edits: [["a.js", 17, 18, text]] }));
  const reply = run(NODE_REPAIR_DRIVER, { job: "tests", candidates: both });
  expect(reply.filter((line) => "candidate" in line)).toEqual(judged.slice(0, 2));
});
