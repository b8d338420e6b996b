"use strict";
// Tells which of the tools that tests use are other objects by now than before any code of the workspace ran. Adding a name
// replaces nothing. Originals are kept from the start, as everywhere in the hooks.
const assert = require("node:assert");
const { EventEmitter } = require("node:events");
const Module = require("node:module");
const util = require("node:util");
const hook = require("./hook.cjs");
const { findPlace } = require("./find-place.cjs");

const { emit, relative, program } = hook;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;
const PACKAGES = /(^|\/)node_modules\//;
const BUILT_INS =
  "Array Object String Number Boolean BigInt Math JSON Promise Date RegExp Map Set WeakMap WeakSet Symbol Reflect Function Error TypeError RangeError SyntaxError Proxy".split(
    " ",
  );
const FUNCTIONS =
  "parseFloat parseInt isNaN isFinite structuredClone queueMicrotask setTimeout setInterval setImmediate clearTimeout".split(" ");
const PROCESS = ["emit", "on", "once", "addListener", "exit", "reallyExit", "hrtime", "nextTick", "cwd", "uptime"];
const FAILURES = ["uncaughtException", "unhandledRejection"];
const MATCHERS = Symbol.for("$$jest-matchers-object");
const OWN_MATCHER = Symbol.for("$$jest-internal-matcher");
const VITEST_EXPECT = Symbol.for("expect-global");
/** The first tests are looked at one by one; a run of thousands is not to pay for each. */
const LOOKED_AT = 50;
const SOMETIMES = 20;

const reported = new Set();
const adders = new WeakMap();
let finished = 0;

function isKept(descriptor) {
  return typeof descriptor.value === "function" || descriptor.get !== undefined || descriptor.set !== undefined;
}

/** Functions and accessors of an object, by name. */
function takeAll(picture, owner, label) {
  for (const key of ownKeys(owner)) {
    const descriptor = key === "constructor" ? undefined : getOwnPropertyDescriptor(owner, key);
    if (descriptor && isKept(descriptor)) {
      const name = typeof key === "symbol" ? `[${key.description}]` : `.${key}`;
      picture.push({ owner, key, descriptor, label: `${label}${name}` });
    }
  }
}

/** What an object has from its prototype is replaced by one of its own. */
function takeNamed(picture, owner, label, names) {
  for (const key of names) {
    if (key in owner) {
      picture.push({ owner, key, descriptor: getOwnPropertyDescriptor(owner, key) ?? {}, label: `${label}.${key}` });
    }
  }
}

/** The built-ins of one global object: those of this process, or of a context that jest made. */
function takeRealm(picture, realm) {
  for (const key of [...BUILT_INS, ...FUNCTIONS, "performance"]) {
    // Read once, since Node then replaces the accessor that loads it by its value.
    if (realm[key]) picture.push({ owner: realm, key, descriptor: getOwnPropertyDescriptor(realm, key) ?? {}, label: key });
  }
  for (const name of BUILT_INS) {
    const builtIn = realm[name];
    if (!builtIn) continue;
    takeAll(picture, builtIn, name);
    if (builtIn.prototype) takeAll(picture, builtIn.prototype, `${name}.prototype`);
  }
}

function takeProcess() {
  const picture = [];
  takeRealm(picture, globalThis);
  const { performance } = globalThis;
  if (performance) {
    takeNamed(picture, performance, "performance", ["now", "timeOrigin"]);
    takeNamed(picture, getPrototypeOf(performance), "performance", ["now", "timeOrigin"]);
  }
  takeAll(picture, assert, "assert");
  takeAll(picture, assert.strict, "assert.strict");
  takeNamed(picture, process, "process", PROCESS);
  takeNamed(picture, EventEmitter.prototype, "EventEmitter.prototype", ["emit", "on", "addListener"]);
  takeNamed(picture, process.hrtime, "process.hrtime", ["bigint"]);
  takeNamed(picture, Module, "Module", ["_load", "_resolveFilename", "_extensions", "wrap"]);
  takeNamed(picture, Module.prototype, "Module.prototype", ["require", "_compile", "load"]);
  takeAll(picture, Module._extensions, "Module._extensions");
  takeNamed(picture, util, "util", ["isDeepStrictEqual", "inspect"]);
  return picture;
}

function ownFile(place) {
  const file = relative(place);
  return file && !PACKAGES.test(file) ? file : null;
}

/** What holds the place of a tool: where it was written says who put it there, as a rule. */
function tell(label, value, isEnd) {
  if (reported.has(label)) return;
  const place = value === undefined ? null : findPlace(value);
  const by = place && (relative(place) || place);
  // Until the end a test may have a tool replaced for a while, by a library for that.
  if (!isEnd && !(place && ownFile(place))) return;
  reported.add(label);
  emit("replaced", label, by, ownFile(program), null);
}

function compare(picture, isEnd) {
  for (const { owner, key, descriptor, label } of picture) {
    const now = getOwnPropertyDescriptor(owner, key);
    if (now?.value === descriptor.value && now?.get === descriptor.get && now?.set === descriptor.set) continue;
    tell(label, now && (now.value ?? now.get ?? now.set), isEnd);
  }
}

/** Listeners that a file of the workspace added itself, and that take failures for themselves. */
function compareListeners() {
  for (const type of FAILURES) {
    for (const listener of process.listeners(type)) {
      const by = adders.get(listener);
      const label = `process.on('${type}')`;
      if (!by || reported.has(label + by)) continue;
      reported.add(label + by);
      emit("replaced", label, by, ownFile(program), null);
    }
  }
  if (process.hasUncaughtExceptionCaptureCallback()) tell("process.setUncaughtExceptionCaptureCallback", undefined, true);
}

/** jest marks the matchers that are its own. */
function compareMatchers(realm, known) {
  const { matchers = {}, customEqualityTesters = [] } = realm[MATCHERS] ?? {};
  for (const name of known) {
    if (matchers[name] && !matchers[name][OWN_MATCHER]) tell(`expect().${name}`, matchers[name], true);
  }
  if (customEqualityTesters.length > 0) tell("expect.addEqualityTesters", customEqualityTesters[0], true);
}

function quietly(work) {
  try {
    work();
  } catch {
    // Whatever the tools have become, the command must run on.
  }
}

const JEST_MATCHERS =
  "toBe toEqual toStrictEqual toMatchObject toContain toContainEqual toHaveLength toHaveProperty toThrow toBeCloseTo toBeDefined toBeFalsy toBeTruthy toBeNull toBeUndefined toBeNaN toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual toBeInstanceOf toMatch".split(
    " ",
  );
const realms = new WeakMap();

/** jest runs each file in a context of its own, which is gone when its environment is torn down. */
function watchEnvironment(exports) {
  const { prototype } = exports?.TestEnvironment ?? exports?.default ?? exports ?? {};
  if (typeof prototype?.teardown !== "function" || realms.has(prototype)) return;
  realms.set(prototype, []);
  const { setup, teardown } = prototype;
  prototype.setup = function (...args) {
    quietly(() => {
      const picture = [];
      takeRealm(picture, this.global);
      realms.set(this, picture);
    });
    return Reflect.apply(setup, this, args);
  };
  prototype.teardown = function (...args) {
    quietly(() => {
      compare(realms.get(this) ?? [], true);
      compareMatchers(this.global, JEST_MATCHERS);
      compare(picture, true);
    });
    return Reflect.apply(teardown, this, args);
  };
}

function watchJest() {
  const load = Module._load;
  Module._load = function (request, ...rest) {
    const exports = Reflect.apply(load, this, [request, ...rest]);
    if (typeof request === "string" && request.includes("jest-environment")) quietly(() => watchEnvironment(exports));
    return exports;
  };
}

let isExpectTaken = false;

/** vitest asks the process that leads for each file before it loads it: by then its expect is there, and nothing of the workspace. */
function takeExpect() {
  const expect = globalThis[VITEST_EXPECT];
  if (isExpectTaken || typeof expect !== "function") return;
  isExpectTaken = true;
  takeAll(picture, expect, "expect");
  takeAll(picture, getPrototypeOf(expect(0)), "expect()");
}

/** The processes and threads of vitest are killed at their end: they are looked at when they say that a file is done. */
function watchVitest() {
  const note = (message) => {
    takeExpect();
    if (message?.__vitest_worker_response__ ? message.type === "testfileFinished" : message && "taskId" in Object(message)) {
      compareMatchers(globalThis, []);
      lookAtEnd();
    }
  };
  const { parentPort } = require("node:worker_threads");
  for (const [owner, name] of [[process, "send"], [parentPort, "postMessage"]]) {
    const original = owner?.[name];
    if (typeof original !== "function") continue;
    owner[name] = function (...args) {
      quietly(() => note(args[0]));
      return Reflect.apply(original, this, args);
    };
  }
}

function lookAtEnd() {
  quietly(() => {
    compare(picture, true);
    compareListeners();
  });
}

/** A test has ended, and all that it had torn down after it. */
hook.lookAfterTest = () => {
  finished += 1;
  if (finished <= LOOKED_AT || finished % SOMETIMES === 0) quietly(() => compare(picture, false));
};

function noteListener(type, listener) {
  if (!FAILURES.includes(type)) return;
  quietly(() => {
    const isOurs = (name) => name === "node:events" || name.startsWith(hook.settings.hooks);
    const first = hook.takeStack().find((name) => name && !isOurs(name));
    const by = first && !first.startsWith("node:") ? ownFile(first) : null;
    if (by) adders.set(listener, by);
  });
}

let picture = [];

/** To be called when all hooks have put in what is theirs. */
hook.takePicture = () => {
  process.on("newListener", noteListener);
  watchJest();
  if (/[\\/](vitest|tinypool)[\\/]/.test(program)) watchVitest();
  picture = takeProcess();
  process.on("exit", lookAtEnd);
};
