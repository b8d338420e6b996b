/**
 * Missing Debian packages are detected by their effect (the module imports, the command exists), so that a machine that
 * has the same thing from another source is left alone.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { modulesDir } from "./paths.mjs";

const PYTHON = "/usr/bin/python3";
/** Modules that people expect of a Python, and that Debian has. Others come from a package index: `--requirements F --install`. */
const MODULES = {
  numpy: "python3-numpy",
  pandas: "python3-pandas",
  matplotlib: "python3-matplotlib",
  requests: "python3-requests",
  httpx: "python3-httpx",
  bs4: "python3-bs4",
  lxml: "python3-lxml",
  pytest: "python3-pytest",
  pip: "python3-pip",
};
const TEST_COMMANDS = {
  jq: "jq",
  sqlite3: "sqlite3",
  ffmpeg: "ffmpeg",
  bwrap: "bubblewrap",
  git: "git",
  curl: "curl",
  setpriv: "util-linux",
  openssl: "openssl",
  tmux: "tmux",
  vim: "vim-tiny",
  less: "less",
  top: "procps",
  zsh: "zsh",
  fish: "fish",
  "jupyter-nbconvert": "jupyter-nbconvert",
  chromium: "chromium",
};
/** PostgreSQL's programs are on nobody's PATH: Debian has a directory for each version of them. */
const POSTGRES = { directory: "/usr/lib/postgresql", program: "initdb", name: "postgresql" };
/** Engines of containers: not every Debian, and not every system like it, has all of them. */
const ENGINE_COMMANDS = { podman: "podman", crun: "crun", runsc: "runsc" };
const STAMP = join(modulesDir, ".cache", "drydock", "python-modules.json");

export function missingDebianPackages({ tests }) {
  const missing = missingPythonPackages();
  if (!tests) return missing;
  const needed = Object.entries(TEST_COMMANDS).filter(([command]) => !onPath(command));
  const offered = Object.entries(ENGINE_COMMANDS).filter(([command, name]) => !onPath(command) && isOffered(name));
  const postgres = hasPostgres() ? [] : [POSTGRES.name];
  return [...missing, ...[...needed, ...offered].map(([, name]) => name), ...postgres];
}

function hasPostgres() {
  const versions = existsSync(POSTGRES.directory) ? readdirSync(POSTGRES.directory) : [];
  return versions.some((version) => existsSync(join(POSTGRES.directory, version, "bin", POSTGRES.program)));
}

/** Whether the package index has it. Only root can use engines here. */
function isOffered(name) {
  return process.getuid?.() === 0 && spawnSync("apt-cache", ["show", name], { stdio: "ignore" }).status === 0;
}

export function installDebianPackages(names, run, SetupError) {
  const install = ["install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", ...names];
  const byHand = `sudo apt-get update && sudo apt-get install -y ${names.join(" ")}`;
  if (!onPath("apt-get")) {
    throw new SetupError(
      `These Debian packages, or what your system has in their place, are missing: ${names.join(", ")}`,
    );
  }
  const prefix = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (prefix.length > 0 && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status !== 0) {
    throw new SetupError(`Installing Debian packages needs root. Run this, then try again:\n  ${byHand}`);
  }
  const [command, ...first] = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"];
  run(command, [...first, "update"]);
  run(command, [...first, ...install]);
  const left = missingDebianPackages({ tests: true }).filter((name) => names.includes(name));
  if (left.length > 0) throw new SetupError(`Installed, but still without effect: ${left.join(", ")}`);
}

/** Importing pandas takes half a second, so a success is remembered until Python, its packages or the list change. */
function missingPythonPackages() {
  if (!existsSync(PYTHON)) return ["python3", ...Object.values(MODULES)];
  const state = ["/usr/bin/python3", "/usr/lib/python3/dist-packages"].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  const stamp = JSON.stringify([...state, ...Object.keys(MODULES)]);
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return [];
  const missing = Object.entries(MODULES).flatMap(([module, name]) => (imports(module) ? [] : [name]));
  if (missing.length === 0) remember(stamp);
  return missing;
}

function imports(module) {
  const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", MPLCONFIGDIR: modulesDir };
  return spawnSync(PYTHON, ["-I", "-c", `import ${module}`], { env, stdio: "ignore" }).status === 0;
}

function remember(stamp) {
  try {
    mkdirSync(join(STAMP, ".."), { recursive: true });
    writeFileSync(STAMP, stamp);
  } catch {
    // A tree that somebody else owns: the check is made again next time.
  }
}

function onPath(command) {
  const directories = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
  return directories.some((directory) => existsSync(join(directory, command)));
}
