"use strict";
// Node's own test runner tells everything through one kind of stream. Listening where it emits needs no reporter, which a
// command may have named itself.
const { EventEmitter } = require("node:events");
const { Readable } = require("node:stream");
const { readFileSync } = require("node:fs");
const { resolve } = require("node:path");
const hook = require("./hook.cjs");

const { emit, emitLater, flush, locate, createIds, createSession, nameTests, program } = hook;

const original = EventEmitter.prototype.emit;
const session = createSession("node");
const nextId = createIds();
const isChild = String(process.env.NODE_TEST_CONTEXT ?? "").startsWith("child");
const options = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/)];
const leads = !isChild && process.execArgv.includes("--test");
const isolates = leads && !options.some((word) => /^--(experimental-)?test-isolation=none$/.test(word));
hook.startsTestsOnly = isolates;
/** Names of what has begun and not ended, by depth; of one file at a time, since events come in order of definition. */
const open = new Map();
const queued = new Set();

function isFileItself(data) {
  return data.nesting === 0 && typeof data.file === "string" && resolve(data.name) === data.file;
}

function noteFile(failed, data) {
  const at = locate(data.file);
  if (!at) return;
  // A file without tests is a test itself; one that has some, and did not get to them, is not.
  if (failed || /node:test/.test(readFileSync(data.file, "utf8"))) nameTests("node", data.file);
  else emit("test", "node", nextId(at.name, []), "passed", at.file);
}

function noteTest(failed, data) {
  const place = leads || !program ? data.file : program;
  const at = locate(place ?? data.file);
  if (!at) return;
  const names = open.get(data.file) ?? [];
  const titles = [...names.slice(0, data.nesting), data.name];
  if (data.details?.type === "suite") return;
  const expected = data.todo !== undefined && data.todo !== false ? failed : Boolean(data.expectFailure);
  const skipped = data.skip !== undefined && data.skip !== false;
  const outcome = skipped ? "skipped" : expected ? "expected" : failed ? "failed" : "passed";
  const id = nextId(at.name, titles);
  queued.delete(id);
  emit("test", "node", id, outcome, at.file);
  hook.lookAfterTest?.();
}

function note(type, data) {
  session.begin();
  // The test that runs now may be the last thing that this process does.
  if (type === "test:dequeue") flush();
  else if (type === "test:start") {
    const names = open.get(data.file) ?? [];
    names.length = Math.min(names.length, data.nesting);
    names[data.nesting] = data.name;
    open.set(data.file, names);
  } else if (type === "test:pass" || type === "test:fail") {
    if (leads && isFileItself(data)) noteFile(type === "test:fail", data);
    else if (!isolates) noteTest(type === "test:fail", data);
  } else if (type === "test:enqueue" && !isolates && data.nesting === 0 && !isFileItself(data)) {
    const at = locate(leads || !program ? data.file : program);
    if (!at || data.type === "suite") return;
    queued.add(`${at.name} > ${data.name}`);
    emitLater("begun", "node", `${at.name} > ${data.name}`, at.file);
  } else if (type === "test:plan" && data.nesting === 0 && (!leads || data.file === undefined)) {
    session.end();
    // Patterns leave tests out that were queued: at the end, what has no outcome was not to be run.
    for (const id of queued) emitLater("ended", "node", id);
    flush();
  }
}

function listen(type, data) {
  if (typeof type === "string" && type.startsWith("test:") && typeof data === "object" && data !== null) {
    try {
      note(type, data);
    } catch {
      // An event of another shape, or somebody else's of the same name: its receiver must get it all the same.
    }
  }
  return Reflect.apply(original, this, arguments);
}

Object.defineProperty(Readable.prototype, "emit", { value: listen, writable: true, configurable: true, enumerable: false });
