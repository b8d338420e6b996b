"use strict";
// Loaded into every Node process of a check by --require. SETTINGS holds what the driver chose. Nothing here may throw.
// Originals are kept from the start: tests replace functions of fs and path.
const fs = require("node:fs");
const path = require("node:path");
const { openSync, writeSync, realpathSync, readFileSync } = fs;
const { resolve, sep } = path;
const { stringify } = JSON;
const random = Math.random;

const MOST_BYTES = 16 * 1024 * 1024;
const { workspace, reports, hooks, temporary, record } = SETTINGS;
const inside = workspace.endsWith(sep) ? workspace : workspace + sep;
const NAMED = /^(?:await[ \t]+)?(?:[\w$]+\.)?(?:test|it|describe|suite|context|specify)(?:\.\w+)*\([ \t\r\n]*(["'`])((?:\\.|(?!\1)[^\\])*)\1/gm;

const report = { descriptor: null, bytes: 0, waiting: "" };

function append(text) {
  try {
    if (report.bytes > MOST_BYTES) return;
    report.bytes += text.length;
    const whole = report.bytes > MOST_BYTES ? '["truncated"]\n' : text;
    report.descriptor ??= openSync(`${reports}/${process.pid}-${random().toString(36).slice(2)}.jsonl`, "a", 0o600);
    writeSync(report.descriptor, whole);
  } catch {
    // The disk is full, or the command removed its reports: the driver sees that something is missing.
  }
}

/** Appends one line to this thread's report. */
function emit(...fields) {
  const text = `${report.waiting}${stringify(fields)}\n`;
  report.waiting = "";
  append(text);
}

/** A line that can wait for the next one, or for `flush`. */
function emitLater(...fields) {
  report.waiting += `${stringify(fields)}\n`;
}

function flush() {
  if (report.waiting) append(report.waiting);
  report.waiting = "";
}

/** The path below the workspace, "" for the workspace itself; null outside of it. */
function relative(place) {
  if (typeof place !== "string" || place === "") return null;
  const whole = resolve(place.startsWith("file://") ? decodeURIComponent(place.slice(7).replace(/[?#].*$/s, "")) : place);
  if (whole === workspace) return "";
  return whole.startsWith(inside) ? whole.slice(inside.length) : null;
}

/** Tests of test tools make and run tests of their own there: those are not the check's. */
function isTemporary(place) {
  return relative(place) === null && resolve(place).startsWith(temporary + sep);
}

/** Gives tests of one process their ids: file, suites, name; a second one of the same name gets a number. */
function createIds() {
  const seen = new Map();
  return (file, titles) => {
    const id = [file, ...titles].join(" > ");
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id} #${count}`;
  };
}

/** Where a test lies: below the workspace, elsewhere (by its whole path), or nowhere that counts. */
function locate(place) {
  if (typeof place !== "string" || isTemporary(place)) return null;
  const file = relative(place);
  return { name: file ?? resolve(place), file };
}

/** Names the tests of a file that could not be loaded by the calls at the start of its lines; the file, if there are none. */
function nameTests(runner, place) {
  try {
    const at = locate(place);
    if (at?.file == null) return;
    const text = readFileSync(place, "utf8");
    const names = [...text.matchAll(NAMED)].map((match) => match[2]).filter((name) => !name.includes("${"));
    const ids = names.length > 0 ? names.map((name) => `${at.name} > ${name}`) : [at.name];
    emit("ids", runner, [...new Set(ids)].map((id) => [id, at.file]));
  } catch {
    // The file is gone or unreadable: its runner says so itself.
  }
}

function createSession(runner) {
  const number = random().toString(36).slice(2);
  let begun = false;
  return {
    begin() {
      if (!begun) emit("start", runner, number);
      begun = true;
    },
    end() {
      if (begun) emit("end", runner, number);
    },
  };
}

/** The program that this process runs, with symbolic links followed. */
function findProgram() {
  try {
    return process.argv[1] ? realpathSync(process.argv[1]) : "";
  } catch {
    return process.argv[1] ?? "";
  }
}

const program = findProgram();
module.exports = { emit, emitLater, flush, relative, locate, createIds, createSession, nameTests, program, settings: SETTINGS, startsTestsOnly: false, takePicture: null };

function attempt(file) {
  try {
    require(`${hooks}/${file}`);
  } catch {
    // This version of Node lacks what the hook needs: the command must run all the same, without that report.
  }
}

attempt("report-node-test.cjs");
attempt("report-others.cjs");
if (record) {
  // The process that starts Node's tests in others runs none of them itself.
  if (!module.exports.startsTestsOnly) attempt("tools.cjs");
  attempt("record.cjs");
  if (!module.exports.startsTestsOnly) attempt("failed-assertions.cjs");
  module.exports.takePicture?.();
}
