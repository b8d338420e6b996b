"use strict";
// jest gets one more reporter in its configuration, vitest on its command line; mocha's runner is listened to.
const { EventEmitter } = require("node:events");
const { existsSync, readFileSync } = require("node:fs");
const Module = require("node:module");
const hook = require("./hook.cjs");

const { emit, locate, createIds, createSession, program, settings } = hook;

const JEST = `${settings.hooks}/reporter-jest.cjs`;
const VITEST = `${settings.hooks}/reporter-vitest.mjs`;

function addToJest(exports) {
  const read = exports.readConfigs;
  if (typeof read !== "function") return exports;
  const readConfigs = async (...args) => {
    const found = await read(...args);
    const { reporters } = found.globalConfig;
    const all = [...(reporters ?? [["default", {}]]), [JEST, {}]];
    return { ...found, globalConfig: Object.freeze({ ...found.globalConfig, reporters: all }) };
  };
  return Object.create(exports, { readConfigs: { value: readConfigs, enumerable: true } });
}

const load = Module._load;
let changed = null;
Module._load = function (request, ...rest) {
  const exports = Reflect.apply(load, this, [request, ...rest]);
  if (request !== "jest-config") return exports;
  try {
    changed ??= addToJest(exports);
    return changed;
  } catch {
    // A version of Jest with another configuration: it runs without our reporter, and reports nothing.
    return exports;
  }
};

/** Reporters on the command line stand in for those of the configuration: those are named again. */
function findReporters() {
  const places = ["vitest.config", "vite.config"].flatMap((name) =>
    ["ts", "mts", "cts", "js", "mjs", "cjs"].map((ending) => `${name}.${ending}`),
  );
  const at = process.argv.findIndex((word) => word === "--config" || word === "-c");
  const named = at > 0 ? [process.argv[at + 1]] : process.argv.filter((w) => w.startsWith("--config=")).map((w) => w.slice(9));
  const place = [...named, ...places].find((each) => each && existsSync(each));
  const list = place && /\breporters?\s*:\s*(\[[^\]]*\]|["'`][^"'`]+["'`])/.exec(readFileSync(place, "utf8"))?.[1];
  return list ? [...list.matchAll(/["'`]([\w.@/-]+)["'`]/g)].map((match) => match[1]) : ["default"];
}

if (/[\\/]vitest[\\/](vitest\.mjs|dist[\\/]cli)/.test(program)) {
  const end = process.argv.indexOf("--");
  const own = process.argv.some((word) => /^--reporters?(=|$)/.test(word));
  const words = [...(own ? [] : findReporters()), VITEST].map((name) => `--reporter=${name}`);
  process.argv.splice(end < 0 ? process.argv.length : end, 0, ...words);
}

const nextId = createIds();
const sessions = new WeakMap();
const ids = new WeakMap();
const MOCHA_OUTCOMES = { pass: "passed", fail: "failed", pending: "skipped" };

function noteMocha(runner, type, subject) {
  if (type === "start") {
    const session = createSession("mocha");
    sessions.set(runner, session);
    session.begin();
    runner.suite?.eachTest?.((test) => noteKnown(test));
  } else if (type === "end") {
    sessions.get(runner)?.end();
  } else if (sessions.has(runner) && subject) {
    const titles = typeof subject.titlePath === "function" ? subject.titlePath() : [subject.title];
    const at = locate(subject.file ?? "");
    // A hook that fails takes the tests with it: none of them has an outcome then.
    if (!at || subject.type === "hook") return;
    // A test may fail after it passed: what it called "done" twice is still one test.
    const id = ids.get(subject) ?? nextId(at.name, titles);
    ids.set(subject, id);
    emit("test", "mocha", id, MOCHA_OUTCOMES[type], at.file);
    if (type === "pass" && subject._currentRetry > 0) emit("retried", id);
    hook.lookAfterTest?.();
  }
}

function noteKnown(test) {
  const at = locate(test.file ?? "");
  if (at) emit("ids", "mocha", [[[at.name, ...test.titlePath()].join(" > "), at.file]]);
}

if (/[\\/]mocha[\\/](bin|lib)[\\/]/.test(program)) {
  const original = EventEmitter.prototype.emit;
  EventEmitter.prototype.emit = function (type, subject) {
    if ((type in MOCHA_OUTCOMES || type === "start" || type === "end") && /Runner$/.test(this.constructor?.name)) {
      try {
        noteMocha(this, type, subject);
      } catch {
        // A runner of another version: a test without an outcome stays unknown, and the event goes on.
      }
    }
    return Reflect.apply(original, this, arguments);
  };
}

