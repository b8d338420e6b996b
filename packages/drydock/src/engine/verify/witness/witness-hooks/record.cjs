"use strict";
// Records which files of the workspace and which modules a Node process opens or imports, and which file of the
// workspace did so. Files in node_modules count neither as readers nor as read: they act for the code that calls them.
const fs = require("node:fs");
const childProcess = require("node:child_process");
const Module = require("node:module");
const { isAbsolute, resolve } = require("node:path");
const { fileURLToPath } = require("node:url");
const hook = require("./hook.cjs");

const { emit, relative, settings } = hook;
const { readFileSync, renameSync, statSync, writeFileSync } = fs;
const READERS = ["open", "openSync", "readFile", "readFileSync", "createReadStream"];
const STARTERS = ["spawn", "spawnSync", "execFile", "execFileSync", "exec", "execSync", "fork"];
const PACKAGES = /(^|\/)node_modules\//;
const seen = new Set();
let busy = false;

function tell(...line) {
  const key = JSON.stringify(line);
  if (seen.has(key)) return;
  seen.add(key);
  emit(...line);
}

function ownFile(place) {
  const file = relative(place);
  return file && !PACKAGES.test(file) ? file : null;
}

function takeStack() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 100;
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? "");
    const { stack } = new Error();
    // Somebody who formats stacks himself, as jest does, may have the last word.
    return Array.isArray(stack) ? stack : [];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

hook.takeStack = takeStack;

/** The nearest file of the workspace on the stack; whether Node's loader or a runner's stands before it. */
function findAsker() {
  let loader = null;
  for (const name of takeStack()) {
    // It reads every file there is, for its index.
    if (/[\\/]jest-haste-map[\\/]/.test(name)) return { by: null, loader: "index" };
    if (name.startsWith("node:internal/modules/")) loader ??= "node";
    else if (/[\\/]jest-runtime[\\/]/.test(name)) loader ??= "jest";
    else if (name.startsWith(settings.hooks)) continue;
    else {
      const file = name && !name.startsWith("node:") ? ownFile(name) : null;
      if (file) return { by: file, loader };
    }
  }
  return { by: starter, loader };
}

/** Runs our own part once at a time: it uses the very functions that it watches. */
function quietly(work) {
  if (busy) return;
  busy = true;
  try {
    work();
  } catch {
    // What is watched must work as it does unwatched, whatever its arguments are.
  } finally {
    busy = false;
  }
}

function noteOpen(place, flags) {
  const text = place instanceof URL ? fileURLToPath(place) : Buffer.isBuffer(place) ? place.toString() : place;
  if (typeof text !== "string" || (typeof flags === "string" && /^[wa]x?$/.test(flags))) return;
  const file = ownFile(text);
  if (!file) return;
  const { by, loader } = findAsker();
  // The loader of Node is observed below, with the name that it gets. vite reads what others import: see noteGraph.
  if (loader === "node" || loader === "index" || by === file || (isVite && by === null && !/(^|\/)(package|tsconfig.*)\.json$|\.config\.\w+$/.test(file))) return;
  tell("file", file, loader === "jest" ? "import" : "open", by);
}

/** The names in a directory may be cases. Who named it is not known. */
function noteList(place) {
  const text = place instanceof URL ? fileURLToPath(place) : Buffer.isBuffer(place) ? place.toString() : place;
  const directory = typeof text === "string" ? ownFile(text) : null;
  if (!directory) return;
  const { by, loader } = findAsker();
  if (by !== null && loader !== "node") tell("sought", `${directory}/`, by, "-");
}

function flagsOf(name, args) {
  if (name.startsWith("open")) return args[1];
  return typeof args[1] === "object" && args[1] !== null ? args[1].flag ?? args[1].flags : undefined;
}

function wrap(object, name, note) {
  const original = object[name];
  if (typeof original !== "function") return;
  const wrapped = function (...args) {
    quietly(() => note(args));
    return Reflect.apply(original, this, args);
  };
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
  object[name] = wrapped;
}

function noteStart(args) {
  const { by } = findAsker();
  nameStarter(by);
  const words = [args[0], ...(Array.isArray(args[1]) ? args[1] : [])].filter((word) => typeof word === "string");
  const { cwd } = args.find((arg) => typeof arg === "object" && arg !== null && !Array.isArray(arg)) ?? {};
  const base = cwd === undefined ? process.cwd() : cwd instanceof URL ? fileURLToPath(cwd) : String(cwd);
  for (const word of new Set(words.flatMap((each) => [each, ...each.split(/[\s'"]+/)]))) {
    const place = isAbsolute(word) ? word : resolve(base, word);
    const file = word.length < 4096 ? ownFile(place) : null;
    if (file && statSync(place, { throwIfNoEntry: false })?.isFile()) tell("file", file, "run", by);
  }
}

function nameStarter(by) {
  const place = `${settings.reports}/starters/${process.pid}`;
  writeFileSync(`${place}.new`, by ?? "");
  renameSync(`${place}.new`, place);
}

/** Asks the nearest ancestor that has a hook. */
function findStarter() {
  for (let pid = process.ppid; pid > 1; ) {
    try {
      return readFileSync(`${settings.reports}/starters/${pid}`, "utf8") || null;
    } catch {
      // This ancestor has no hook: the next one may.
    }
    try {
      pid = Number(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ")[1]);
    } catch {
      return null;
    }
  }
  return null;
}

function noteModule(specifier, parent, found) {
  if (parent?.startsWith("node:") || specifier.startsWith(settings.hooks)) return;
  const asks = parent ? ownFile(parent) : null;
  const inside = found && !found.startsWith("node:") ? relative(found) : null;
  const own = inside !== null && !PACKAGES.test(inside);
  if (parent && !asks && PACKAGES.test(parent)) {
    if (own) tell("file", inside, "import", findAsker().by);
    return;
  }
  const by = asks ?? starter;
  const isProgram = own && !asks && resolve(found.startsWith("file:") ? fileURLToPath(found) : found) === hook.program;
  if (own) tell("file", inside, isProgram ? "run" : "import", by);
  if (!isProgram) tell("module", "node", specifier, by, inside ?? found, found && !own ? "outside" : null);
}

function watchModules() {
  if (typeof Module.registerHooks === "function") {
    Module.registerHooks({
      resolve(specifier, context, next) {
        let found = null;
        try {
          const result = next(specifier, context);
          found = result.url;
          return result;
        } finally {
          quietly(() => noteModule(specifier, context.parentURL, found));
        }
      },
    });
    return;
  }
  const original = Module._resolveFilename;
  Module._resolveFilename = function (request, parent, ...rest) {
    let found = null;
    try {
      found = Reflect.apply(original, this, [request, parent, ...rest]);
      return found;
    } finally {
      quietly(() => noteModule(request, parent?.filename, found));
    }
  };
}

/** vite loads modules for vitest: its graph knows who imports what. */
hook.noteGraph = (vitest) => {
  quietly(() => {
    const graphs = (vitest?.projects ?? [vitest]).flatMap(({ vite, server }) =>
      Object.values((vite ?? server)?.environments ?? {}).map(({ moduleGraph }) => moduleGraph),
    );
    for (const graph of graphs) {
      for (const node of graph?.idToModuleMap?.values() ?? []) {
        const file = node.file && ownFile(node.file);
        if (!file) continue;
        const importers = [...(node.importers ?? [])].map((each) => each.file && ownFile(each.file)).filter(Boolean);
        if (importers.length === 0) tell("file", file, "import", null);
        for (const by of importers) tell("file", file, "import", by);
      }
    }
  });
};

/** jest links ES modules itself, long after the importing file has run: the links show which file imports what. */
function watchLinks() {
  const { prototype } = require("node:vm").SourceTextModule ?? {};
  if (!prototype) return;
  const note = (from, to) => {
    const [by, file] = [ownFile(from?.identifier), ownFile(to?.identifier)];
    if (by && file) tell("file", file, "import", by);
  };
  const { linkRequests, link } = prototype;
  if (linkRequests) {
    prototype.linkRequests = function (modules) {
      quietly(() => modules.forEach((each) => note(this, each)));
      return Reflect.apply(linkRequests, this, [modules]);
    };
  }
  prototype.link = function (linker) {
    return Reflect.apply(link, this, [
      async (specifier, from, ...rest) => {
        const to = await linker(specifier, from, ...rest);
        quietly(() => note(from, to));
        return to;
      },
    ]);
  };
}

const isVite = /[\\/]vitest[\\/](vitest\.mjs|dist[\\/])/.test(hook.program);
const starter = findStarter();
nameStarter(starter);
for (const name of READERS) wrap(fs, name, (args) => noteOpen(args[0], flagsOf(name, args)));
for (const name of ["readdirSync", "readdir", "opendirSync", "opendir"]) {
  wrap(fs, name, ([place]) => noteList(place));
  wrap(fs.promises, name, ([place]) => noteList(place));
}
for (const name of ["open", "readFile"]) wrap(fs.promises, name, (args) => noteOpen(args[0], flagsOf(name, args)));
for (const name of STARTERS) wrap(childProcess, name, noteStart);
watchModules();
watchLinks();
Module.syncBuiltinESMExports();
const own = hook.program && ownFile(hook.program);
if (own) tell("file", own, "run", starter);
