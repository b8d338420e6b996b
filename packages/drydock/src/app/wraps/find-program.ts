import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  statSync,
} from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { isInside } from "../../base/paths/index.ts";
import type { Mount } from "../../sandbox/index.ts";

const PLACE = "/opt/wrapped";
/** What every run sees of the system, at the same paths. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];
const WORK = "/work";
/** Where the sandbox looks for programs, and what it brings itself. */
const SEARCHED = ["/usr/local/bin", "/usr/bin", "/bin"];
const BROUGHT = ["node", "python", "python3"];

export interface FoundProgram {
  /** How it is called inside. */
  argv: string[];
  mounts: Mount[];
  notes: string[];
  /** Whether it comes with the workspace. */
  isOfWorkspace: boolean;
}

export interface ProgramPlaces {
  searchPath: string;
  workspace: string;
  /** Where single programs are copied to. */
  cacheDirectory: string;
}

/**
 * The program as the sandbox can start it. What the system has is there already, and comes before another of the same name that the
 * caller's `PATH` leads to: shims of version managers lead to places that are not visible inside. A package of npm is seen with the packages
 * beside it, which it needs. Any other program is seen alone: what lies beside it in `~/bin` is nobody's business.
 */
export function findProgram(command: readonly string[], places: ProgramPlaces): FoundProgram {
  const found = lookUp(command, places);
  const [inside = ""] = found.argv;
  // A path that means nothing outside is one of the workspace.
  const isOfWorkspace = isInside(inside, WORK) || (inside.includes("/") && !isAbsolute(inside));
  return { ...found, isOfWorkspace };
}

function lookUp(command: readonly string[], places: ProgramPlaces): Omit<FoundProgram, "isOfWorkspace"> {
  const [name = "", ...rest] = command;
  const found = name.includes("/") ? resolveNamed(name) : search(name, places.searchPath);
  // The shell's own message is as good as any, and comes from inside: a program of the workspace or of the sandbox itself.
  if (found === null) return { argv: [name, ...rest], mounts: [], notes: [] };
  const real = realpathSync(found);
  if (isInside(real, places.workspace)) {
    return { argv: [join(WORK, real.slice(places.workspace.length)), ...rest], mounts: [], notes: [] };
  }
  if (SYSTEM.some((directory) => isInside(real, directory))) {
    const isSystemName = SYSTEM.some((directory) => isInside(found, directory));
    return { argv: [isSystemName && !name.includes("/") ? name : found, ...rest], mounts: [], notes: [] };
  }
  if (!name.includes("/") && (BROUGHT.includes(name) || search(name, SEARCHED.join(delimiter)) !== null)) {
    const notes = [`${name} is the sandbox's own, not ${found}; to use that one, name it by its path`];
    return { argv: [name, ...rest], mounts: [], notes };
  }
  const modules = findModules(real);
  if (modules !== null) {
    const target = `${PLACE}/node_modules`;
    const mounts = [{ source: modules, target }];
    return { argv: [join(target, real.slice(modules.length)), ...rest], mounts, notes: [] };
  }
  const source = keepCopy(real, basename(found), places.cacheDirectory);
  const mounts = [{ source, target: `${PLACE}/bin` }];
  return { argv: [`${PLACE}/bin/${basename(found)}`, ...rest], mounts, notes: [] };
}

function resolveNamed(name: string): string | null {
  const path = resolve(name);
  return isExecutable(path) ? path : null;
}

function search(name: string, searchPath: string): string | null {
  for (const directory of searchPath.split(delimiter)) {
    if (isAbsolute(directory) && isExecutable(join(directory, name))) return join(directory, name);
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The outermost `node_modules` on the way to a file: packages there find each other. */
function findModules(path: string): string | null {
  const at = path.indexOf("/node_modules/");
  return at < 0 ? null : path.slice(0, at + "/node_modules".length);
}

/** Made once for each version of the file. */
function keepCopy(path: string, name: string, cacheDirectory: string): string {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true });
  const key = createHash("sha256")
    .update(JSON.stringify([path, `${size}:${mtimeNs}:${ino}`, name]))
    .digest("hex");
  const directory = join(cacheDirectory, "programs", key.slice(0, 32));
  if (existsSync(join(directory, name))) return directory;
  try {
    const staging = `${directory}.${process.pid}`;
    mkdirSync(staging, { recursive: true, mode: 0o755 });
    copyFileSync(path, join(staging, name), constants.COPYFILE_FICLONE);
    renameSync(staging, directory);
  } catch (cause) {
    if (existsSync(join(directory, name))) return directory;
    const hint = "Check that the file can be read, and that there is room in Drydock's home.";
    const message = `The program ${path} can't be made available in the sandbox: ${(cause as Error).message}`;
    throw new DrydockError("input.invalid", message, hint, { path: dirname(path) }, cause);
  }
  return directory;
}
