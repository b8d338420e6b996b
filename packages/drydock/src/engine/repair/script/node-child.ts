import { REALM_WATCH } from "./realm-watch.ts";

/** Part of the Node programs that run tests: how files of tests are run, what of the source they run, and calls of functions. */
export const NODE_RUNNER = String.raw`
const { run } = require("node:test");
const { registerHooks } = require("node:module");
const fs = require("node:fs");
const { inspect } = require("node:util");
const { fileURLToPath, pathToFileURL } = require("node:url");
const [base, root] = process.argv.slice(1);
let version = 0, rounds = 0, turns = 0, began = 0, allowedMs = Infinity, isEndless = false;
const takenMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const restart = (ms) => [turns, began, allowedMs, isEndless] = [0, takenMs(), ms, false];
Object.defineProperty(globalThis, "__drydockTurn", { value: () => {
  turns += 1;
  // A loop that takes too much of the processor's time throws, and so does every later one.
  if (!isEndless && ((turns & 255) !== 0 || takenMs() - began < allowedMs)) return;
  isEndless = true;
  throw new Error("This loop goes round too often.");
} });
const isOurs = (url) => url.startsWith(base) && !url.includes("/node_modules/");
registerHooks({ resolve(name, context, next) {
  const found = next(name, context);
  if (!isOurs(found.url) || !context.conditions.includes("import")) return found;
  return { ...found, url: found.url.split("?")[0] + "?version=" + version };
} });

function forget() {
  version += 1;
  for (const name of Object.keys(require.cache)) {
    if (name.startsWith(root) && !name.includes("/node_modules/")) delete require.cache[name];
  }
}

const place = (name) => String(name ?? "").replace(/\?version=\d+/g, "").replace(/^file:\/\//, "");

async function runFile(file) {
  forget();
  rounds = 0;
  const tests = [];
  let broken = 0, seen = 0;
  for await (const { type, data } of run({ files: [file], isolation: "none" })) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    seen += 1;
    if (data.skip !== undefined || data.todo !== undefined) continue;
    const ok = type === "test:pass";
    if (data.details?.type === "suite") {
      broken += ok || data.details.error?.failureType === "subtestsFailed" ? 0 : 1;
      continue;
    }
    const error = data.details?.error;
    const name = [place(data.file ?? file).slice(root.length), data.line, data.name].join(":");
    if (place(data.name) === file || data.name === file.slice(root.length)) broken += ok ? 0 : 1;
    else tests.push({ name, label: data.name, ok, seconds: (data.details?.duration_ms ?? 0) / 1000, stack: ok ? "" : stackOf(error) });
  }
  // A file without tests that can be loaded, such as a helper, is reported as passing.
  return { tests, broken: broken > 0 || seen === 0 ? 1 : 0 };
}

function stackOf(error) {
  const texts = [];
  for (let each = error; each && texts.length < 5; each = each.cause) texts.unshift(String(each.stack ?? each));
  return texts.join("\n").slice(0, 8000);
}

function placesOf(stack, files) {
  const found = [];
  for (const [, name, line] of place(stack).matchAll(/((?:\/|[A-Za-z0-9_.-]+\/)*[A-Za-z0-9_.-]+\.[cm]?[jt]sx?):(\d+)/g)) {
    const number = files.indexOf(name.startsWith(root) ? name.slice(root.length) : name);
    if (number >= 0) found.push([number, Number(line)]);
  }
  return found;
}

/** Which lines of the files ran inside of functions since the last time. */
function takeLines(session, files) {
  let result = [];
  session.post("Profiler.takePreciseCoverage", (error, taken) => {
    if (!error) result = taken.result;
  });
  const executed = new Set(), loaded = new Set();
  for (const { url, functions } of result) {
    const name = place(url);
    const number = name.startsWith(root) ? files.indexOf(name.slice(root.length)) : -1;
    if (number < 0 || !url.includes("version=" + version) && !require.cache[name]) continue;
    let text;
    try {
      text = fs.readFileSync(name, "utf8");
    } catch {
      continue;
    }
    const counts = new Int32Array(text.length).fill(-1);
    // Functions that were never called are listed only where the module itself ran.
    const isLoaded = functions.some((each) => each.functionName === "" && each.ranges[0].startOffset === 0);
    for (const each of functions) {
      const isModule = each.functionName === "" && each.ranges[0].startOffset === 0;
      for (const range of each.ranges) {
        if (isModule && range === each.ranges[0]) continue;
        counts.fill(range.count, range.startOffset, Math.min(range.endOffset, text.length));
      }
    }
    let line = 1;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === "\n") line += 1;
      else if (/\S/.test(text[at]) && text[at] !== "}") {
        if (counts[at] > 0) executed.add(number + ":" + line);
        else if (counts[at] < 0 && isLoaded) loaded.add(number + ":" + line);
      }
    }
  }
  const toPairs = (set) => [...set].map((each) => each.split(":").map(Number));
  return { executed: toPairs(executed), loaded: toPairs(loaded) };
}

// A line in each test file calls this while a survey is made: coverage is taken after each test.
let noteTest = () => {};
Object.defineProperty(globalThis, "__drydockHook", { value: () => require("node:test").afterEach((context) => noteTest(context)) });

async function survey({ files, tests: testFiles, allowedMs: limit }) {
  const { Session } = require("node:inspector");
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const answer = { tests: [], errors: 0, imported: [], places: [], lines: [] };
  const counts = new Map();
  for (const file of testFiles) {
    const noted = [];
    noteTest = ({ name }) => {
      noted.push({ name, ...takeLines(session, files) });
      // Each test has time of its own.
      restart(limit);
    };
    restart(limit);
    const { tests, broken } = await runFile(file);
    const { executed, loaded } = takeLines(session, files);
    answer.errors += broken;
    for (const { name, label, ok, seconds, stack } of tests) {
      answer.tests.push([name, ok, seconds]);
      answer.places.push(...placesOf(stack, files));
      const at = noted.findIndex((each) => each.name === label);
      const own = at < 0 ? { executed } : noted.splice(at, 1)[0];
      answer.imported.push(...(own.loaded ?? loaded));
      for (const [number, line] of own.executed) {
        const known = counts.get(number + ":" + line) ?? [number, line, 0, 0];
        known[ok ? 3 : 2] += 1;
        counts.set(number + ":" + line, known);
      }
    }
    if (tests.length === 0) answer.imported.push(...loaded);
  }
  const seen = new Set();
  answer.imported = answer.imported.filter((pair) => !seen.has(String(pair)) && seen.add(String(pair)));
  answer.lines = [...counts.values()];
  return answer;
}

const countActive = () => process.getActiveResourcesInfo().filter((name) => name !== "Immediate").length;

async function callAll({ calls, files, allowedMs: limit }) {
  forget();
  const results = [], modules = new Map();
  for (const [number, name, args] of calls) {
    restart(limit);
    try {
      const path = root + files[number];
      if (!modules.has(number)) modules.set(number, await import(pathToFileURL(path).href).catch(() => require(path)));
      const loaded = modules.get(number);
      const act = loaded[name] ?? loaded.default?.[name];
      if (typeof act !== "function") {
        results.push("no function");
        continue;
      }
      const values = JSON.parse(args);
      let value = await act(...values);
      if (typeof value?.next === "function") value = Array.from({ length: 500 }, () => value.next()).filter(({ done }) => !done).map((each) => each.value);
      const changed = JSON.stringify(values) === args ? "" : ", arguments then " + JSON.stringify(values);
      results.push(inspect(value, { depth: 6, breakLength: Infinity, maxArrayLength: 200 }).slice(0, 500) + changed.slice(0, 300));
    } catch (error) {
      results.push(isEndless ? "does not end" : "throws " + (error?.name ?? "something"));
    }
  }
  return { results };
}
`;

/**
 * The process in the sandbox that runs tests for one candidate after the other: it loads the modules of the tree anew
 * each time. It is replaced after a candidate that leaves something behind, or changes what is there for all of them. For a survey it notes which lines each test
 * runs.
 */
export const NODE_CHILD = `
${NODE_RUNNER}
${REALM_WATCH}
// Made when the tests of the untouched tree have run: what they change is the same for every candidate.
let findDisturbed = null;
const send = process.send.bind(process);
// The runner goes on when nothing is left to do. After a file without tests it has only promises to settle then, and these
// alone do not keep a process: a few rounds more do.
process.on("beforeExit", () => {
  if (rounds++ < 50) setImmediate(() => {});
});
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
// The runner ends when nothing is left to do: a channel that is open must not count.
process.on("message", async (request) => {
  const { channel } = process;
  const before = countActive();
  restart(request.allowedMs ?? Infinity);
  rounds = 0;
  let answer;
  if (request.job !== "calls") channel.unref();
  try {
    if (request.job === "survey") answer = await survey(request);
    else if (request.job === "calls") answer = await callAll(request);
    else {
      answer = { tests: [], broken: 0 };
      for (const file of request.tests) {
        const { tests, broken } = await runFile(file);
        answer.tests.push(...tests.map(({ name, ok }) => [name, ok]));
        answer.broken += broken;
      }
      if (request.job === "warm") findDisturbed = watchRealm();
    }
  } catch (error) {
    answer = { tests: [], broken: 1, error: String(error?.message) };
  }
  channel.ref();
  let disturbed = null;
  try {
    disturbed = findDisturbed?.() ?? null;
  } catch {
    disturbed = "something";
  }
  send({ ...answer, isEndless, left: countActive() - before, disturbed });
});
`;
