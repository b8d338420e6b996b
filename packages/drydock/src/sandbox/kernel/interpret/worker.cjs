// The Node worker of the dock: started ahead of time, fully locked, it waits on descriptor 3 for one program (or, in a
// session, for one after the other) and runs it as `node -e` would. How it ended is for the warden to tell.
"use strict";

const fs = require("node:fs");
const vm = require("node:vm");
const { createRequire } = require("node:module");
const { pathToFileURL } = require("node:url");
const { inspect } = require("node:util");

const CHANNEL = 3;
/** Where it was started: `/work`, wherever there is such a place. */
const WORK = process.cwd();
const RESULT_LIMIT = 1 << 20;

function send(kind, payload) {
  const body = Buffer.from(payload);
  const frame = Buffer.alloc(5 + body.length);
  frame.writeUInt32BE(body.length, 0);
  frame[4] = kind.charCodeAt(0);
  body.copy(frame, 5);
  for (let at = 0; at < frame.length; ) {
    try {
      at += fs.writeSync(CHANNEL, frame, at);
    } catch (error) {
      if (error.code !== "EAGAIN") return; // the listener is gone
    }
  }
}

function readExactly(length) {
  const buffer = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = fs.readSync(CHANNEL, buffer, at, length - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return buffer;
}

function receive() {
  const header = readExactly(5);
  return { kind: String.fromCharCode(header[4]), payload: readExactly(header.readUInt32BE(0)) };
}

/** JSON where it can be, else `{ type, repr }`; the text is what the report carries. */
function toResult(value) {
  if (value === undefined) return "null";
  try {
    const plain = value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
    const prototype = typeof value === "object" && value !== null ? Object.getPrototypeOf(value) : undefined;
    if (plain || Array.isArray(value) || prototype === Object.prototype || prototype === null) {
      const text = JSON.stringify(value);
      if (text !== undefined && text.length <= RESULT_LIMIT) return text;
    }
  } catch {
    // Cycles, big integers and throwing getters are shown, not serialised.
  }
  let repr;
  try {
    repr = inspect(value, { depth: 2, maxArrayLength: 50, maxStringLength: 2000 }).slice(0, 16384);
  } catch (error) {
    repr = `<inspect failed: ${error}>`;
  }
  return JSON.stringify({ type: value?.constructor?.name ?? typeof value, repr });
}

const compileErrors = new WeakMap();

function describe(error) {
  const stack = typeof error?.stack === "string" ? error.stack : "";
  const place = /<code>:(\d+)(?::(\d+))?/.exec(stack);
  return {
    type: error?.constructor?.name ?? typeof error,
    message: String(error?.message ?? error).slice(0, 8192),
    code: [error?.code, error?.cause?.code].find((code) => typeof code === "string"),
    path: typeof error?.path === "string" ? error.path : undefined,
    module: /^Cannot find (?:module|package) '([^']+)'/.exec(String(error?.message))?.[1],
    syntax: typeof error === "object" && error !== null ? compileErrors.get(error) : undefined,
    line: place ? Number(place[1]) : undefined,
    column: place?.[2] ? Number(place[2]) : undefined,
    stack: stack.slice(0, 16384),
  };
}

/** Gives what undoes it. */
function setProxy(environment) {
  return require("node:http").setGlobalProxyFromEnv?.(environment);
}

function prepareGlobals(request) {
  // The workspace was mounted over the directory that this process was started in.
  process.chdir(WORK);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, request.environment);
  // The variables are read when Node starts, which was before anybody knew them.
  if (request.environment.NODE_USE_ENV_PROXY) setProxy(request.environment);
  process.argv = [process.execPath, ...(request.filename ? [request.filename] : []), ...(request.args ?? [])];
  const require = createRequire(`${WORK}/[code]`);
  const module = { exports: {}, id: "[code]", filename: `${WORK}/[code]`, loaded: false, children: [], paths: [] };
  Object.assign(globalThis, { require, module, exports: module.exports, __filename: "[code]", __dirname: WORK });
}

/** A script where it parses as one; with top-level `await` or `import` it does not, and is a module. */
async function run(code, filename) {
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  let script;
  try {
    script = new vm.Script(code, { filename, importModuleDynamically });
  } catch (error) {
    if (!(error instanceof SyntaxError) || !/\b(?:await|import|export)\b/.test(code)) throw asSyntax(error, filename);
  }
  if (!script) return runModule(code, filename);
  const value = script.runInThisContext();
  const named = new vm.Script("typeof result === 'undefined' ? undefined : result").runInThisContext();
  return named === undefined ? value : named;
}

/** Marks an error of the compiler, as opposed to a SyntaxError that running code threw. */
function asSyntax(error, filename) {
  const first = String(error?.stack).split("\n")[0] ?? "";
  const line = first.startsWith(`${filename}:`) ? Number(first.slice(filename.length + 1)) : 1;
  if (error && typeof error === "object") compileErrors.set(error, { line: line || 1 });
  return error;
}

async function runModule(code, filename) {
  const tail = "\n;globalThis.__drydockResult = typeof result === 'undefined' ? undefined : result;";
  const source = /\bresult\b/.test(code) ? code + tail : code;
  let module;
  try {
    module = new vm.SourceTextModule(source, {
      identifier: filename,
      importModuleDynamically: (specifier) => import(resolve(specifier)),
      initializeImportMeta: (meta) =>
        Object.assign(meta, { url: `${pathToFileURL(WORK)}/[code]`, dirname: WORK, filename: `${WORK}/[code]` }),
    });
  } catch (error) {
    throw asSyntax(error, filename);
  }
  await module.link(async (specifier) => wrap(await import(resolve(specifier))));
  await module.evaluate();
  const named = globalThis.__drydockResult;
  delete globalThis.__drydockResult;
  return named ?? module.namespace?.default;
}

function resolve(specifier) {
  return /^\.{0,2}\//.test(specifier) ? new URL(specifier, `${pathToFileURL(WORK)}/`).href : specifier;
}

function wrap(namespace) {
  return new vm.SyntheticModule(Object.keys(namespace), function fill() {
    for (const name of Object.keys(namespace)) this.setExport(name, namespace[name]);
  });
}

/** One program: the event loop runs out, or the program ends the process; the report is written on the way out. */
function serveOnce(request, code) {
  let report = { outcome: "ok", result: "null" };
  process.on("uncaughtExceptionMonitor", (error) => {
    report = { outcome: "exception", exception: describe(error) };
  });
  // Leaving by process.exit spares Node its long farewell to V8; the program's own exit handlers run all the same.
  process.on("beforeExit", () => {
    if (process.listenerCount("beforeExit") === 1) process.exit();
  });
  process.on("exit", (status) => {
    if (status !== 0 && report.outcome === "ok") report = { outcome: "exit" };
    send("j", JSON.stringify(report));
  });
  run(code, request.filename ?? "<code>").then(
    async (value) => {
      report.result = toResult(await value);
    },
    (error) => {
      // Thrown outside of any promise, so that Node prints it and exits as it always does.
      process.nextTick(() => {
        throw error;
      });
    },
  );
}

/** Steps share the global scope. A step that throws leaves what it had done: there is no rollback here. */
function serveSession(request) {
  const next = () => {
    const { payload } = receive();
    const step = JSON.parse(payload.toString());
    const code = receive().payload.toString();
    run(code, `<step>`).then(
      async (value) => finish({ outcome: "ok", result: toResult(await value) }),
      (error) => {
        console.error(error);
        finish({ outcome: "exception", exception: describe(error) });
      },
    );
    void step;
  };
  const finish = (report) => {
    // The pipes are written synchronously: what was printed is out before the report.
    send("j", JSON.stringify({ ...report, alive: true }).replace(/"alive":true}$/, '"alive": true}'));
    setImmediate(next);
  };
  process.on("uncaughtException", (error) => {
    console.error(error);
    finish({ outcome: "exception", exception: describe(error) });
  });
  next();
}

/** Runs the path once, so that it is compiled and its pages are touched before a request waits for it. */
function warmUp() {
  new vm.Script("1 + 1", { filename: "<warm>" }).runInThisContext();
  toResult({ a: [1, "x", null] });
  JSON.parse('{"a":1}');
  // What is printed is out before anything else happens: a loop that never rests fills the pipe, not the memory.
  for (const stream of [process.stdout, process.stderr]) stream._handle?.setBlocking?.(true);
  for (const stream of [process.stdout, process.stderr]) stream.write("");
  const nowhere = new (require("node:stream").Writable)({ write: (_chunk, _encoding, done) => done() });
  new console.Console(nowhere).log("%s", 1);
}

warmUp();
// What a proxy takes is loaded with the first one that is set, which is none.
if (process.argv[2] === "network") setProxy({ HTTP_PROXY: "http://127.0.0.1:9" })?.();
send("r", "");
const request = JSON.parse(receive().payload.toString());
const code = receive().payload.toString();
prepareGlobals(request);
if (request.mode === "session") serveSession(request);
else serveOnce(request, code);
