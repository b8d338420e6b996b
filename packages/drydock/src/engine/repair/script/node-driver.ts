import { NODE_PARTS } from "../../source/node-parts.ts";
import { JUDGE_SCRIPT } from "./judge-script.ts";

/**
 * The program in the sandbox that surveys Node's tests, or tries candidates. It changes files, asks a child process to run
 * the tests, and puts everything back. A child that takes too long, ends, or leaves something behind is replaced. What it
 * reports goes to standard output, a line each.
 */
export const NODE_REPAIR_DRIVER = String.raw`
const fs = require("node:fs");
const path = require("node:path");
const { spawn } = require("node:child_process");
const { pathToFileURL } = require("node:url");
const input = JSON.parse(fs.readFileSync(0, "utf8"));
const root = process.cwd();
const MAX_FILES = 20000, MAX_USES = 60, KEPT_BYTES = 64 << 20, BEAT_MS = 500, STOP_MS = 3000;
const send = (words) => fs.writeSync(1, JSON.stringify(words) + "\n");
${NODE_PARTS}
${JUDGE_SCRIPT}
const findPython = () => (process.env.PATH ?? "").split(":").map((place) => place + "/python3").find((place) => fs.existsSync(place));
const python = input.supervisor && findPython();

/** A supervisor keeps it from this process, where there is a Python to run one. */
function startChild() {
  const args = ["--no-warnings", "--max-old-space-size=" + input.memoryMb, "-e", input.child, pathToFileURL(root).href + "/", root + "/"];
  const command = python ? [python, "-I", "-S", "-c", input.supervisor, process.execPath, ...args] : [process.execPath, ...args];
  const stream = python ? "pipe" : "ignore";
  const child = spawn(command[0], command.slice(1), {
    cwd: root,
    env: { ...process.env, ...input.environment },
    stdio: [stream, stream, "ignore", "ipc"],
    detached: true,
  });
  let settle = () => {};
  const ended = new Promise((resolve) => {
    child.once("exit", (code) => resolve(code === 0));
    child.once("error", () => resolve(false));
  });
  void ended.then(() => settle("gone"));
  child.on("message", (answer) => settle(answer));
  child.stdin?.on("error", () => {});
  const kill = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {}
    child.kill("SIGKILL");
  };
  const started = {
    uses: 0,
    pid: python ? 0 : child.pid,
    supervisor: python ? child.pid : 0,
    /** Whether all that it started is gone. */
    async stop() {
      if (!python) kill();
      child.stdin?.end();
      const isClear = await Promise.race([ended, sleep(STOP_MS)]);
      if (isClear === "late") kill();
      return !python || isClear === true;
    },
    ask(request) {
      this.uses += 1;
      return new Promise((resolve) => {
        settle = resolve;
        if (child.exitCode !== null || child.signalCode !== null) resolve("gone");
        else child.send(request, (error) => error && resolve("gone"));
      });
    },
  };
  child.stdout?.once("data", (text) => {
    started.pid = Number(text);
  });
  return started;
}

/** Whether it has started a process that still runs, in whatever way. */
function hasStarted({ pid, supervisor }) {
  const listOf = (parent) => {
    try {
      const tasks = fs.readdirSync("/proc/" + parent + "/task");
      return tasks.flatMap((task) => fs.readFileSync("/proc/" + parent + "/task/" + task + "/children", "utf8").trim().split(" "));
    } catch {
      return [];
    }
  };
  return [...listOf(pid), ...(supervisor ? listOf(supervisor) : [])].some((each) => each !== "" && Number(each) !== pid);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms, "late"));

let child = null;
const getChild = () => (child ??= startChild());
/** False: some of its processes are still there. */
const dropChild = async () => {
  const dropped = child;
  child = null;
  return dropped ? dropped.stop() : true;
};

/** "late" where it took too much of the processor, or too long without any. */
async function ask(request, cpuMs) {
  const asking = getChild();
  const answer = asking.ask(request);
  const before = readCpuMs(asking.pid);
  const end = performance.now() + cpuMs * 6 + 3000;
  let beat = performance.now();
  for (;;) {
    const result = await Promise.race([answer, sleep(40)]);
    if (result !== "late") return result;
    // A candidate may stop this process: then the host gets no beats.
    if (performance.now() - beat > BEAT_MS) {
      beat = performance.now();
      send({ beat: true });
    }
    if (readCpuMs(asking.pid) - before > cpuMs || performance.now() > end) return "late";
  }
}

/** Null: there are more files than can be watched. */
function look() {
  const found = new Map();
  const walk = (directory) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const place = directory + "/" + entry.name;
      if (entry.isDirectory()) {
        if (entry.name === ".git" || entry.name === "node_modules") continue;
        found.set(place + "/", "directory");
        walk(place);
      } else if (entry.isFile() && found.size <= MAX_FILES) found.set(place, factsOf(place));
    }
  };
  walk(root);
  return found.size > MAX_FILES ? null : found;
}

function factsOf(place) {
  const { mtimeMs, size } = fs.lstatSync(place);
  return mtimeMs + " " + size;
}

function keepTree() {
  const before = look(), contents = new Map();
  let bytes = 0;
  for (const place of before?.keys() ?? []) {
    if (place.endsWith("/")) continue;
    bytes += fs.lstatSync(place).size;
    if (bytes <= KEPT_BYTES) contents.set(place, fs.readFileSync(place));
  }
  /** Puts back what was written for a candidate, and what it changed itself; false where it can't. */
  return (written) => {
    for (const name of written) {
      setText(name, input.guarded[name] ?? originals.get(name));
      before?.set(path.join(root, name), factsOf(path.join(root, name)));
    }
    const now = before && look();
    if (!now) return before === null;
    for (const place of now.keys()) if (!before.has(place)) fs.rmSync(place, { force: true, recursive: true });
    for (const [place, facts] of before) {
      if (now.get(place) === facts) continue;
      if (place.endsWith("/")) {
        fs.mkdirSync(place, { recursive: true });
        continue;
      }
      if (!contents.has(place)) return false;
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.writeFileSync(place, contents.get(place));
      before.set(place, factsOf(place));
    }
    return true;
  };
}

const setText = (name, text) => fs.writeFileSync(path.join(root, name), text);

async function survey(tests) {
  for (const [name, text] of Object.entries(input.guarded)) setText(name, text);
  for (const file of tests) {
    const text = fs.readFileSync(file, "utf8");
    if (!text.startsWith("#!")) fs.writeFileSync(file, "globalThis.__drydockHook?.();" + text);
  }
  const answer = await ask({ job: "survey", files: input.files, tests, allowedMs: input.allowedMs }, input.seconds * 1000);
  if (answer === "late" || answer === "gone") return send({ unable: "the tests do not come to an end" });
  send({ survey: { ...answer, modules: [], calls: [] } });
}

const run = (files) => ask({ job: "tests", tests: files, allowedMs: input.allowedMs }, input.allowedMs * 2 + 400);

/** A process that has run the tests of the untouched tree: it knows what they leave as it is. */
async function warmUp(tests) {
  const answer = await ask({ job: "warm", tests, allowedMs: input.allowedMs }, input.allowedMs * 2 + 2000);
  if (answer !== "late" && answer !== "gone") return;
  await dropChild();
  await ask({ job: "warm", tests: [] }, 10000);
}

async function tryAll(tests) {
  readOriginals();
  for (const [name, text] of Object.entries(input.guarded)) setText(name, text);
  const restore = keepTree();
  const end = performance.now() + input.seconds * 1000;
  for (const candidate of input.candidates) {
    if (performance.now() > end) break;
    if (child === null && input.job === "tests") await warmUp(tests);
    send({ begun: candidate.id });
    let isClear = true;
    const texts = textsOf(candidate);
    for (const [name, text] of Object.entries(texts)) setText(name, text);
    if (input.job === "calls") {
      const answer = await ask({ job: "calls", calls: input.inputs, files: input.files, allowedMs: input.allowedMs }, 5000);
      send({ candidate: candidate.id, results: answer.results ?? [] });
      isClear = await dropChild();
    } else {
      const { isBad, ...result } = await judge(tests, run);
      send({ candidate: candidate.id, ...result });
      // What passes may owe it to what was left behind by another: the next one starts anew, and so does everything odd.
      if (isBad || result.fixed > 0 || hasStarted(getChild()) || getChild().uses > MAX_USES) isClear = await dropChild();
    }
    // What is left of the candidates is tried in another sandbox.
    if (!restore(Object.keys(texts)) || !isClear) break;
  }
}

async function main() {
  const tests = listTests();
  if (tests.length === 0) return send({ unable: "no test files were found" });
  if (input.job === "survey") await survey(tests);
  else await tryAll(tests);
}

main().catch((error) => send({ unable: String(error?.stack ?? error).slice(0, 500) })).finally(async () => {
  await dropChild();
  process.exit(0);
});
`;
