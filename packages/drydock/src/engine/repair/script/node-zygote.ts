import { NODE_PARTS } from "../../source/node-parts.ts";
import { JUDGE_SCRIPT } from "./judge-script.ts";
import { NODE_RUNNER } from "./node-child.ts";

/**
 * The Node process of which a copy is made for each candidate. It has run a test of its own, so that all of the runner is
 * loaded, and reads the number of the next candidate. Then it reads once more: where it is copied, that gives 1 in the copy and 0 here.
 */
export const NODE_ZYGOTE = String.raw`
${NODE_RUNNER}
const path = require("node:path");
const input = JSON.parse(fs.readFileSync(process.argv[3], "utf8"));
const CHANNEL = 3, READ_BYTES = 8191;
${NODE_PARTS}
${JUDGE_SCRIPT}
const kill = process.kill.bind(process), pidOfCopy = () => Number(fs.readlinkSync("/proc/self"));

async function act(candidate, tests) {
  const pid = pidOfCopy();
  Object.defineProperty(process, "pid", { value: pid });
  // Threads of the original are not here: nothing may wait for their end.
  process.reallyExit = process.abort = () => kill(pid, "SIGKILL");
  process.chdir(root);
  for (const [name, text] of Object.entries(input.guarded)) fs.writeFileSync(path.join(root, name), text);
  for (const [name, text] of Object.entries(textsOf(candidate))) fs.writeFileSync(path.join(root, name), text);
  const say = fs.writeSync;
  if (input.job === "calls") {
    const { results } = await callAll({ calls: input.inputs, files: input.files, allowedMs: input.allowedMs });
    for (const result of results) say(CHANNEL, JSON.stringify(result) + "\n");
    return;
  }
  const { fixed, failing, late } = await judge(tests, runAll);
  say(CHANNEL, JSON.stringify([fixed, failing, late ? 1 : 0]) + "\n");
}

async function runAll(files) {
  restart(input.allowedMs);
  const answer = { tests: [], broken: 0 };
  for (const file of files) {
    const { tests, broken } = await runFile(file);
    for (const { name, ok } of tests) answer.tests.push([name, ok]);
    answer.broken += broken;
  }
  return { ...answer, isEndless };
}

/** Loads what any test loads, both kinds of modules and types among it. */
async function warmUp() {
  const place = fs.mkdtempSync(require("node:os").tmpdir() + "/drydock-warm-");
  const body = 'test("one", () => assert.equal(1, 1)); test("two", () => assert.throws(() => assert.deepEqual([1], [2])));';
  const kinds = { "a.test.mjs": 'import test from "node:test"; import assert from "node:assert/strict"; ', "b.test.cjs": 'const test = require("node:test"), assert = require("node:assert"); ' };
  if (input.files.some((name) => /\.[cm]?ts$/.test(name))) kinds["c.test.mts"] = 'import test from "node:test"; import assert from "node:assert/strict"; const n: number = 1; ';
  for (const [name, head] of Object.entries(kinds)) {
    fs.writeFileSync(place + "/" + name, head + body);
    await runFile(place + "/" + name);
  }
  fs.rmSync(place, { recursive: true });
  // A copy would wait for threads that it does not have.
  const names = fs.readdirSync("/proc/self/task").map((each) => fs.readFileSync("/proc/self/task/" + each + "/comm", "utf8"));
  if (names.some((name) => name.startsWith("libuv-worker"))) process.exit(1);
}

process.on("beforeExit", () => {
  if (rounds++ < 50) setImmediate(() => {});
});
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});

(async () => {
  const tests = listTests();
  readOriginals();
  await warmUp();
  const number = Buffer.alloc(64), held = Buffer.alloc(READ_BYTES);
  fs.writeSync(CHANNEL, "ready");
  for (;;) {
    const size = fs.readSync(CHANNEL, number, 0, number.length);
    if (size === 0) process.reallyExit(0);
    if (fs.readSync(CHANNEL, held, 0, READ_BYTES) !== 1) continue;
    try {
      await act(input.candidates[Number(number.toString("utf8", 0, size))], tests);
    } finally {
      kill(pidOfCopy(), "SIGKILL");
    }
  }
})();
`;
