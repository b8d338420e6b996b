import type { WorkspaceScan } from "./scan-workspace.ts";

export interface ProfileCommand {
  command: string;
  /** The file that names it. */
  from: string;
}

const MAX_COMMANDS = 12;
const MAX_DIRECTORIES = 6;
const MAX_TESTS_READ = 20;
const TARGET = /^(test|tests|check|lint|typecheck|format|fmt|build)([:.-][\w:.-]{1,30})?$/;
const TEST_FILE = /(^|\/)(conftest|test_[^/]*|[^/]*_test)\.py$/;
const DIRECTORY = /^[\w@.+/-]{0,80}$/;

/**
 * How the workspace says it is tested, built and checked. Files are read for it and nothing is run; what is found are
 * words for a person and a model, and the policy decides anew on each command that either of them asks for.
 */
export async function findCommands(scan: WorkspaceScan): Promise<ProfileCommand[]> {
  const finders = [findPackageScripts, findNodeTests, findPytest, findMakeTargets, findOthers];
  const found = (await Promise.all(finders.map((find) => find(scan)))).flat();
  const unique = new Map(found.map((item) => [item.command, item]));
  return [...unique.values()].slice(0, MAX_COMMANDS);
}

/** Files of this name, at the top or not far below it. */
function findNamed(scan: WorkspaceScan, names: readonly string[]): string[] {
  return scan.paths
    .filter((path) => names.includes(path.slice(path.lastIndexOf("/") + 1)))
    .filter((path) => path.split("/").length <= 3 && DIRECTORY.test(directoryOf(path)))
    .sort((one, other) => one.split("/").length - other.split("/").length)
    .slice(0, MAX_DIRECTORIES);
}

function directoryOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function inDirectory(path: string, command: string): string {
  const directory = directoryOf(path);
  return directory === "" ? command : `cd ${directory} && ${command}`;
}

async function findPackageScripts(scan: WorkspaceScan): Promise<ProfileCommand[]> {
  const found: ProfileCommand[] = [];
  for (const path of findNamed(scan, ["package.json"])) {
    const tool = packageTool(scan, directoryOf(path));
    for (const name of readScriptNames(await scan.read(path))) {
      const command = name === "test" ? `${tool} test` : `${tool} run ${name}`;
      found.push({ command: inDirectory(path, command), from: path });
    }
  }
  return found;
}

/** Tests of Node's own runner that no script of a package starts. */
async function findNodeTests(scan: WorkspaceScan): Promise<ProfileCommand[]> {
  const isTest = (path: string) =>
    /(^|\/)([^/]+[._-]test|test|test-[^/]+)\.[cm]?[jt]s$|(^|\/)test\/.+\.[cm]?[jt]s$/.test(path);
  const candidates = scan.paths.filter((path) => isTest(path) && DIRECTORY.test(path)).slice(0, MAX_TESTS_READ);
  for (const path of candidates) {
    if (!/["']node:test["']/.test((await scan.read(path)) ?? "")) continue;
    const manifests = findNamed(scan, ["package.json"]);
    const scripts = await Promise.all(manifests.map(async (each) => readScriptNames(await scan.read(each))));
    return scripts.some((names) => names.includes("test")) ? [] : [{ command: "node --test", from: path }];
  }
  return [];
}

function packageTool(scan: WorkspaceScan, directory: string): string {
  const has = (name: string) => scan.paths.includes(directory === "" ? name : `${directory}/${name}`);
  if (has("pnpm-lock.yaml")) return "pnpm";
  if (has("yarn.lock")) return "yarn";
  return has("bun.lockb") || has("bun.lock") ? "bun" : "npm";
}

function readScriptNames(text: string | null): string[] {
  try {
    const scripts = (JSON.parse(text ?? "null") as { scripts?: unknown } | null)?.scripts;
    if (typeof scripts !== "object" || scripts === null) return [];
    return Object.entries(scripts)
      .filter(([name, script]) => TARGET.test(name) && !String(script).includes("no test specified"))
      .map(([name]) => name);
  } catch {
    return [];
  }
}

async function findPytest(scan: WorkspaceScan): Promise<ProfileCommand[]> {
  for (const path of findNamed(scan, ["pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"])) {
    const text = (await scan.read(path)) ?? "";
    if (path.endsWith("pytest.ini") || /^\[(tool[:.]pytest|pytest)\b/m.test(text)) {
      const command = /^\s*pythonpath\s*=/m.test(text) ? "pytest -q" : pytestFor(scan, directoryOf(path));
      return [{ command: inDirectory(path, command), from: path }];
    }
  }
  const test = scan.paths.find((path) => TEST_FILE.test(path));
  if (test === undefined) return [];
  const text = (await scan.read(test)) ?? "";
  const usesUnittest = /^\s*(import|from) unittest\b/m.test(text) && !/\bpytest\b/.test(text);
  const command = usesUnittest ? "python3 -m unittest" : pytestFor(scan, "");
  return [{ command, from: DIRECTORY.test(test) ? test : "a test" }];
}

/**
 * Plain `pytest` puts the directory of a test file on Python's path, or the one above the test's outermost package. Where
 * that is not the directory in which it starts, tests find the source beside them only as `python3 -m pytest`.
 */
function pytestFor(scan: WorkspaceScan, directory: string): string {
  const below = directory === "" ? "" : `${directory}/`;
  const here = scan.paths.filter((path) => path.startsWith(below)).map((path) => path.slice(below.length));
  const isPackage = (path: string) => here.includes(`${path.slice(0, path.indexOf("/"))}/__init__.py`);
  const isReached = (path: string) => !path.includes("/") || isPackage(path);
  const tests = here.filter((path) => TEST_FILE.test(path));
  return tests.every(isReached) || here.includes("conftest.py") ? "pytest -q" : "python3 -m pytest -q";
}

async function findMakeTargets(scan: WorkspaceScan): Promise<ProfileCommand[]> {
  const found: ProfileCommand[] = [];
  for (const path of findNamed(scan, ["Makefile", "makefile", "GNUmakefile"])) {
    const text = (await scan.read(path)) ?? "";
    for (const [, target = ""] of text.matchAll(/^([A-Za-z][\w.-]*)\s*::?(?!=)/gm)) {
      if (TARGET.test(target)) found.push({ command: inDirectory(path, `make ${target}`), from: path });
    }
  }
  return found;
}

const OTHERS: readonly (readonly [file: string, command: string])[] = [
  ["Cargo.toml", "cargo test"],
  ["go.mod", "go test ./..."],
  ["tox.ini", "tox"],
  ["noxfile.py", "nox"],
  ["build.gradle", "gradle test"],
  ["build.gradle.kts", "gradle test"],
  ["pom.xml", "mvn test"],
  ["mix.exs", "mix test"],
];

async function findOthers(scan: WorkspaceScan): Promise<ProfileCommand[]> {
  return OTHERS.filter(([file]) => scan.paths.includes(file)).map(([from, command]) => ({ command, from }));
}
