/**
 * Brings a fresh clone to where everything runs: npm packages (the pinned Node among them), Debian packages, the build.
 * It depends on nothing, runs on Node 18 or newer, and does nothing where nothing is missing.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIsCurrent } from "./build-state.mjs";
import { installDebianPackages, missingDebianPackages } from "./debian.mjs";
import { packagesAreCurrent } from "./npm-state.mjs";
import { pinnedNode, root, toolEnvironment } from "./paths.mjs";

export class SetupError extends Error {}

/** Says what is being done, does it, and adds how long it took. Output is shown only if it failed. */
function step(title, action) {
  process.stdout.write(`setup: ${title} …`);
  const startedAt = performance.now();
  try {
    action();
  } catch (error) {
    process.stdout.write(" failed\n");
    throw error;
  }
  process.stdout.write(` ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

function run(command, args, env = process.env) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status === 0) return;
  const output = error ? error.message : `${stdout}${stderr}`.trim();
  throw new SetupError(`${[command, ...args].join(" ")}\n${output}`);
}

function installPackages() {
  const npm = process.env.npm_execpath;
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  if (npm?.endsWith(".js")) run(process.execPath, [npm, ...args]);
  else run("npm", args);
}

function requirePinnedNode() {
  if (pinnedNode() !== undefined) return;
  const name = `node-${process.platform}-${process.arch}`;
  throw new SetupError(
    `The pinned Node (node_modules/${name}) is missing, and Node ${process.versions.node} is too old to do without it.\n` +
      `Install the optional packages too (npm ci --include=optional), or run with Node 22.18 or newer.`,
  );
}

/** `tests: true` also wants what only tests and benchmarks use; `rebuild: true` builds even if nothing changed. */
export function setUp({ tests = true, rebuild = false } = {}) {
  if (!packagesAreCurrent()) step("installing the npm packages", installPackages);
  requirePinnedNode();
  const missing = missingDebianPackages({ tests });
  if (missing.length > 0)
    step(`installing ${missing.join(", ")}`, () => installDebianPackages(missing, run, SetupError));
  if (rebuild || !buildIsCurrent()) {
    step("building", () => run(pinnedNode(), [join(root, "scripts", "build.mjs")], toolEnvironment()));
  }
}

/** For scripts that begin with setup: a failure is printed as a message, without a stack. */
export function setUpOrExit(options) {
  try {
    setUp(options);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\nsetup failed: ${error.message}`);
    process.exit(1);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  setUpOrExit({ rebuild: process.argv.includes("--rebuild") });
  console.log("setup: ready");
}
