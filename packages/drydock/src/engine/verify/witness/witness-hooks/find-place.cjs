"use strict";
// Finds the file in which a function was written. Only V8 knows that: it is queried through the inspector, and only if
// a tool was replaced.

const NAME = "__looked_for__";
const TARGETS = ["[[TargetFunction]]", "[[Target]]"];
const places = new WeakMap();

function open() {
  const { Session } = process.getBuiltinModule?.("node:inspector") ?? require("node:inspector");
  const session = new Session();
  const scripts = new Map();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
  const ask = (method, params) => {
    let answer = null;
    session.post(method, params, (error, result) => {
      answer = error ? null : result;
    });
    return answer;
  };
  ask("Debugger.enable");
  return { ask, scripts, close: () => session.disconnect() };
}

/** Follows bound functions and proxies to what they stand for. */
function locate({ ask, scripts }, objectId, depth) {
  const inner = ask("Runtime.getProperties", { objectId, ownProperties: true })?.internalProperties ?? [];
  const at = inner.find(({ name }) => name === "[[FunctionLocation]]")?.value?.value;
  if (at) return scripts.get(at.scriptId) || null;
  const target = inner.find(({ name }) => TARGETS.includes(name))?.value?.objectId;
  return target && depth > 0 ? locate({ ask, scripts }, target, depth - 1) : null;
}

/** A path or URL; null where V8 has none, as for what it brought itself. */
function findPlace(value) {
  if (typeof value !== "function") return null;
  if (places.has(value)) return places.get(value);
  let session = null;
  let place = null;
  try {
    session = open();
    Object.defineProperty(globalThis, NAME, { value, configurable: true });
    const found = session.ask("Runtime.evaluate", { expression: NAME })?.result;
    delete globalThis[NAME];
    place = found?.objectId ? locate(session, found.objectId, 5) : null;
  } catch {
    // Node without an inspector: no file is named then.
  } finally {
    session?.close();
  }
  places.set(value, place);
  return place;
}

module.exports = { findPlace };
