import { NODE_PARTS } from "../../source/node-parts.ts";

/**
 * Runs many mutants in one sandbox: one Node process loads the modules of the tree anew for each of them and runs the
 * tests in it. Modules keep nothing from one mutant to the next, globals could: a process that leaves timers or handles
 * behind is replaced, and from time to time the tests are run without a mutant. Where they fail then, the results since
 * the last time are given up. A process that takes long is set aside, while the next mutants run in another one: most
 * such mutants never end. Loops of the mutated files count how often they go round: a mutant that goes round a hundred
 * times as often as all tests without one counts as endless. Reports go to standard output, one per line.
 */
export const NODE_DRIVER = String.raw`
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { spawn } = require("node:child_process");
const { pathToFileURL } = require("node:url");
const input = JSON.parse(fs.readFileSync(0, "utf8"));
const root = process.cwd();
const MAX_FILES = 20000;
const ROUND = 10;
const MAX_ASIDE = 4;
const LOOK_MS = 50;
const TURNS_MORE = 100;
const FEWEST_TURNS = 1000;
const send = (words) => fs.writeSync(1, JSON.stringify(words) + "\n");
${NODE_PARTS}
function look() {
  const found = new Map();
  const walk = (directory) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const place = directory + "/" + entry.name;
      if (entry.isDirectory()) {
        if (entry.name !== ".git" && entry.name !== "node_modules") walk(place);
        continue;
      }
      const facts = fs.lstatSync(place);
      found.set(place, facts.mtimeMs + " " + facts.size + " " + facts.mode);
      if (found.size > MAX_FILES) throw new Error("the tree has too many files");
    }
  };
  walk(root);
  return found;
}

function isSame(left, right) {
  if (left.size !== right.size) return false;
  for (const [place, facts] of left) if (right.get(place) !== facts) return false;
  return true;
}

const CHILD = [
  'const { run } = require("node:test");',
  'const { registerHooks } = require("node:module");',
  "const [base, root] = process.argv.slice(1);",
  "let version = 0, turns = 0, most = Infinity, isEndless = false;",
  'Object.defineProperty(globalThis, "__drydockTurn", { value: () => {',
  "  turns += 1;",
  "  if (turns <= most) return;",
  "  isEndless = true;",
  '  throw new Error("This loop goes round too often.");',
  "} });",
  'const isOurs = (url) => url.startsWith(base) && !url.includes("/node_modules/");',
  "registerHooks({ resolve(name, context, next) {",
  "  const found = next(name, context);",
  '  if (!isOurs(found.url) || !context.conditions.includes("import")) return found;',
  '  return { ...found, url: found.url.split("?")[0] + "?version=" + version };',
  "} });",
  "async function fails(file) {",
  "  version += 1;",
  "  for (const name of Object.keys(require.cache)) {",
  '    if (name.startsWith(root) && !name.includes("/node_modules/")) delete require.cache[name];',
  "  }",
  "  let failed = 0, seen = 0;",
  '  for await (const { type, data } of run({ files: [file], isolation: "none" })) {',
  '    if (type === "test:pass") seen += 1;',
  '    if (type === "test:fail" && !data.todo && !data.skip) failed += 1;',
  '    if (type === "test:summary" && data.success === false) failed += 1;',
  "  }",
  "  return failed > 0 || seen === 0;",
  "}",
  'const countActive = () => process.getActiveResourcesInfo().filter((name) => name !== "Immediate").length;',
  "const send = process.send.bind(process);",
  // The runner ends when nothing is left to do: a channel that is open must not count.
  'process.on("message", async ({ files, most: allowed }) => {',
  "  const { channel } = process;",
  "  const before = countActive();",
  "  let failed = false;",
  "  [turns, most, isEndless] = [0, allowed ?? Infinity, false];",
  "  channel.unref();",
  "  for (const file of files) if (!failed) failed = await fails(file);",
  "  channel.ref();",
  "  send({ failed: failed || isEndless, left: countActive() - before, turns });",
  "});",
].join("\n");

function startChild() {
  const base = pathToFileURL(root).href + "/";
  const child = spawn(process.execPath, ["--no-warnings", "--max-old-space-size=" + input.memoryMb, "-e", CHILD, base, root + "/"], {
    cwd: root,
    env: { ...process.env, ...input.environment },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let settle = () => {};
  let askedMs = 0;
  child.on("message", (answer) => settle(answer));
  // V8 aborts where the heap is full: that is a mutant's own doing, as much as taking too long.
  child.once("exit", (_, signal) => settle(signal === "SIGABRT" ? { failed: true, left: 0, isGone: true } : "gone"));
  child.once("error", () => settle("gone"));
  return {
    stop: () => child.kill("SIGKILL"),
    /** Lets others go first. */
    yield() {
      try {
        os.setPriority(child.pid, 19);
      } catch {}
    },
    /** Processor time since the request; 0 if unknown. */
    takenMs: () => readCpuMs(child.pid) - askedMs,
    /** What it found; "gone" where it ended by itself. */
    ask: (files, most) =>
      new Promise((resolve) => {
        settle = resolve;
        askedMs = readCpuMs(child.pid);
        child.send({ files, most }, () => {});
      }),
  };
}

const within = (ms, promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms, "late"))]);

function mutate({ path: name, replacement }, { start, end }) {
  const place = path.join(root, name);
  const original = fs.readFileSync(place);
  const facts = fs.statSync(place);
  fs.writeFileSync(place, Buffer.concat([original.subarray(0, start), Buffer.from(replacement), original.subarray(end)]));
  return () => {
    fs.writeFileSync(place, original);
    fs.utimesSync(place, facts.atime, facts.mtime);
  };
}

async function main() {
  const tests = listTests();
  if (tests.length === 0) return send({ unable: "no test files were found" });
  let child = startChild();
  const aside = new Set();
  const replace = () => {
    child.stop();
    child = startChild();
  };
  const end = performance.now() + input.seconds * 1000;
  const before = look();
  await within(10000, child.ask([]));
  const since = performance.now();
  const first = await within(input.baselineSeconds * 1000, child.ask(tests));
  const untouchedMs = performance.now() - since;
  if (first.failed !== false) return send({ unable: "without a mutant it does not pass" });
  if (!isSame(before, look())) return send({ unable: "it changes files of the tree" });
  send({ untouchedMs: Math.round(untouchedMs) });
  const graceMs = untouchedMs * 3 + 100;
  const limitMs = untouchedMs * 3 + 2000;
  const limitCpuMs = untouchedMs * 5 + 500;

  const touched = new Set();
  let most;
  const guardAll = async () => {
    const plain = Object.keys(input.guarded).map((name) => [path.join(root, name), fs.readFileSync(path.join(root, name))]);
    for (const [place] of plain) touched.add(place);
    for (const [name, text] of Object.entries(input.guarded)) fs.writeFileSync(path.join(root, name), text);
    const counted = plain.length > 0 ? await within(limitMs, child.ask(tests)) : "late";
    if (counted.failed === false) {
      most = Math.max(FEWEST_TURNS, counted.turns * TURNS_MORE);
      return;
    }
    for (const [place, text] of plain) fs.writeFileSync(place, text);
    if (plain.length > 0) replace();
  };
  await guardAll();

  /** "late" where it has taken too much processor time, or too long without any. */
  const waitForLate = async (late, answer) => {
    const end = performance.now() + limitMs - graceMs;
    for (;;) {
      const result = await within(LOOK_MS, answer);
      if (result !== "late" || late.takenMs() > limitCpuMs || performance.now() > end) return result;
    }
  };

  /** Whatever it says now, the file is no longer the mutant: only that it never ends is a finding. */
  const setAside = async (mutant, answer) => {
    const late = child;
    late.yield();
    child = startChild();
    const ended = waitForLate(late, answer).then((answer) => {
      late.stop();
      aside.delete(ended);
      send(answer === "late" || answer.isGone ? { mutant: mutant.id, killed: true } : { mutant: mutant.id, odd: true });
    });
    aside.add(ended);
    if (aside.size >= MAX_ASIDE) await Promise.race(aside);
  };
  let open = [];
  const settleOpen = async () => {
    if (open.length === 0) return;
    const again = await within(limitMs, child.ask(tests, most));
    for (const { mutant, killed } of open) {
      send(again.failed === false ? { mutant: mutant.id, killed } : { mutant: mutant.id, odd: true });
    }
    if (again.failed !== false) replace();
    open = [];
  };
  // What was found in a process that then ended could not be confirmed: it is done again.
  const todo = [...input.mutants];
  for (const mutant of todo) {
    if (performance.now() > end) break;
    send({ begun: mutant.id });
    touched.add(path.join(root, mutant.path));
    const restore = mutate(mutant, (most && mutant.guarded) ?? mutant);
    const answering = child.ask(tests, most);
    let answer = await within(graceMs, answering);
    // One that had no processor yet is waited for: it has not taken long.
    for (let ms = graceMs; answer === "late" && ms < limitMs && child.takenMs() < graceMs; ms += LOOK_MS) {
      answer = await within(LOOK_MS, answering);
    }
    restore();
    if (answer === "late" || answer === "gone") {
      todo.push(...open.map(({ mutant }) => mutant));
      open = [];
      if (answer === "late") {
        await setAside(mutant, answering);
      } else {
        send({ mutant: mutant.id, odd: true });
        replace();
      }
      continue;
    }
    open.push({ mutant, killed: answer.failed });
    const now = look();
    // Restoring loses the last digits of the time.
    for (const place of touched) now.set(place, before.get(place));
    if (!isSame(before, now)) break;
    if (answer.isGone) replace();
    if (open.length >= ROUND || answer.left > 0) await settleOpen();
    if (answer.left > 0) replace();
  }
  await settleOpen();
  await Promise.all(aside);
}

main().catch((error) => send({ unable: String(error && error.message) })).finally(() => process.exit(0));
`;
