/**
 * Part of the process in the sandbox that runs tests for one candidate after the other: whether a candidate has changed
 * something that is there for all of them. Globals, prototypes, what Node's own modules export, the process and its listeners are
 * noted before any code of the project runs, and looked at after each candidate. What looks was taken from there before as
 * well, and goes through lists by number: nothing that a candidate replaces is used.
 */
export const REALM_WATCH = `
const { ownKeys, getPrototypeOf, getOwnPropertyDescriptor, apply } = Reflect;
const { cwd, listenerCount, eventNames } = process;
const SHARED_MODULES = ["assert", "assert/strict", "async_hooks", "buffer", "child_process", "console", "crypto", "events", "fs", "fs/promises", "http", "module", "os", "path", "perf_hooks", "querystring", "stream", "string_decoder", "test", "timers", "timers/promises", "url", "util"];
// What Node itself changes while programs run, and what would be made by being looked at.
const IGNORED = new Set(["NODE_TEST_WORKER_ID", "NODE_TEST_CONTEXT", "domain", "_exiting", "exitCode", "_events", "_eventsCount", "__drydockTurn", "__drydockHook", "Symbol(kCapture)", "report", "stdin", "stdout", "stderr", "title", "debugPort", "navigator", "localStorage", "sessionStorage", "crypto"]);
const hasIgnored = IGNORED.has.bind(IGNORED), startsWith = String.prototype.startsWith;
const isIgnored = (name) => hasIgnored(name) || apply(startsWith, name, ["Symbol(undici"]);
const MOST_OBJECTS = 6000;

function watchRealm() {
  const notes = [], seen = new Set(), todo = [globalThis, process, process.env, process.argv, process.execArgv];
  for (const name of SHARED_MODULES) todo.push(require("node:" + name));
  todo.push((function* () {})(), (async function* () {})(), async () => {}, [][Symbol.iterator](), new Map()[Symbol.iterator](), ""[Symbol.iterator]());
  while (todo.length > 0 && notes.length < MOST_OBJECTS) {
    const each = todo.pop();
    if (each === null || (typeof each !== "object" && typeof each !== "function") || seen.has(each) || ArrayBuffer.isView(each)) continue;
    seen.add(each);
    const prototype = getPrototypeOf(each), names = [], values = [], getters = [];
    todo.push(prototype);
    let count = 0;
    for (const name of ownKeys(each)) {
      if (isIgnored(String(name))) continue;
      count += 1;
      const { value, get } = getOwnPropertyDescriptor(each, name);
      names.push(name);
      values.push(value);
      getters.push(get);
      // What a module keeps in its objects is its own affair: what it offers are functions, and prototypes.
      if (typeof value === "function" || name === "prototype" || notes.length === 0) todo.push(value);
    }
    notes.push({ each, prototype, names, values, getters, count });
  }
  const start = cwd(), text = String;
  const names = apply(eventNames, process, []), counts = [];
  for (let at = 0; at < names.length; at++) counts.push(apply(listenerCount, process, [names[at]]));
  /** The name of the first thing that is not as it was; null where all is. */
  return () => {
    for (let at = 0; at < notes.length; at++) {
      const note = notes[at];
      if (getPrototypeOf(note.each) !== note.prototype) return "a prototype";
      const keys = ownKeys(note.each);
      let count = 0;
      for (let key = 0; key < keys.length; key++) if (!isIgnored(text(keys[key]))) count += 1;
      if (count !== note.count) return "the number of names";
      for (let key = 0; key < note.names.length; key++) {
        const found = getOwnPropertyDescriptor(note.each, note.names[key]);
        const { value } = found ?? {};
        const isSame = value === note.values[key] || (value !== value && note.values[key] !== note.values[key]);
        if (found === undefined || !isSame || found.get !== note.getters[key]) return text(note.names[key]);
      }
    }
    if (cwd() !== start) return "the directory";
    const events = apply(eventNames, process, []);
    if (events.length !== names.length) return "listeners";
    for (let at = 0; at < names.length; at++) if (apply(listenerCount, process, [names[at]]) !== counts[at]) return "listeners";
    return null;
  };
}
`;
