/**
 * Runs a script together with the code that V8 made of it in an earlier run. Node's own cache of modules holds what is
 * compiled when a module is loaded; functions that are compiled when they are first called, most of them, are missing
 * from it, and a short command would spend more time on compiling them than on its work.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

/** `node:sqlite` and much else that is needed came with these. */
const LEAST_NODE = [22, 18];

/**
 * What the script exports. It is kept where Node keeps its own, if it does: with the command, not with the library.
 * `load` imports what the script asks for by a path beside it.
 */
export function loadKept(url, load) {
  refuseOldNode();
  const path = fileURLToPath(url);
  const place = findPlace(path);
  const kept = place && readIfThere(place);
  const text = `(function (module, require, __url, __dirname, __import) {${readFileSync(path, "utf8")}\n})`;
  const script = new vm.Script(text, { filename: path, cachedData: kept ?? undefined });
  const loaded = { exports: {} };
  script.runInThisContext()(loaded, createRequire(url), url, dirname(path), load);
  if (place && (!kept || script.cachedDataRejected)) process.once("exit", () => keep(place, script));
  return loaded.exports;
}

/** The command says so before it comes here; a program that uses the library comes here first. */
function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  const error = new Error(
    `Drydock needs Node.js ${LEAST_NODE.join(".")} or newer, and this program runs on ${process.versions.node}. Start it with a newer Node.js.`,
  );
  // The place in Drydock's own code says nothing to whoever reads it.
  error.stack = `Error: ${error.message}`;
  throw error;
}

/** V8 itself only compares the lengths of sources. */
function findPlace(path) {
  const directory = module.getCompileCacheDir?.();
  if (!directory) return null;
  const { size, mtimeMs, ino } = statSync(path);
  return join(directory, `${basename(path)}-${size}-${mtimeMs}-${ino}`);
}

function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** Where it can't be kept, the next run compiles again. */
function keep(place, script) {
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(`${place}.${process.pid}`, script.createCachedData(), { mode: 0o600 });
    renameSync(`${place}.${process.pid}`, place);
  } catch {}
}
