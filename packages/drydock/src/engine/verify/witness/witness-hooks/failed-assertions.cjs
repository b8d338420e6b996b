"use strict";
// Tells of assertions of tests that fail below a call of other code of the workspace: should the test pass all the same, that
// code suppressed the failure. Only comparisons: what `assert.ok` says depends on who called it.
const assert = require("node:assert");
const { syncBuiltinESMExports } = require("node:module");
const hook = require("./hook.cjs");

const { emit, relative, settings } = hook;
const COMPARISONS =
  "equal notEqual strictEqual notStrictEqual deepEqual notDeepEqual deepStrictEqual notDeepStrictEqual match doesNotMatch".split(" ");
const reported = new Set();

function noteFailed() {
  let holder = null;
  for (const name of hook.takeStack()) {
    if (!name || name.startsWith("node:") || name.startsWith(settings.hooks)) continue;
    const file = relative(name);
    if (!file || file.includes("node_modules/") || file === holder) continue;
    if (holder === null) {
      holder = file;
      continue;
    }
    if (!reported.has(file + holder)) emit("caught", file, holder);
    reported.add(file + holder);
    return;
  }
}

function watch(owner, key) {
  const original = owner[key];
  if (typeof original !== "function") return;
  const watched = {
    [key](...args) {
      try {
        return Reflect.apply(original, this, args);
      } catch (error) {
        try {
          noteFailed();
          const ours = error.stack.split("\n").findIndex((line) => line.includes(settings.hooks));
          if (ours > 0) error.stack = error.stack.split("\n").toSpliced(ours, 1).join("\n");
        } catch {
          // The failure itself is what counts.
        }
        throw error;
      }
    },
  }[key];
  Object.defineProperty(watched, "length", { value: original.length, configurable: true });
  owner[key] = watched;
}

for (const owner of [assert, assert.strict]) for (const key of COMPARISONS) watch(owner, key);
syncBuiltinESMExports();
