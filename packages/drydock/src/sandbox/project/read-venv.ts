import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { isInside, listDirectory, realPathOf } from "../../base/paths/index.ts";
import { type PathEntries, readPathFiles } from "./read-path-files.ts";
import { readSmallFile } from "./read-small-file.ts";

/** A virtual environment of the workspace, as far as it can be used inside. */
export interface Venv {
  /** Relative to the workspace. */
  name: string;
  /** "3.11"; null where nothing says it. */
  version: string | null;
  /** Whether its own interpreter starts inside. */
  starts: boolean;
  /** Where its interpreter comes from, by its own word. */
  home: string;
  /** Its packages, relative to the workspace; null where there are none. */
  site: string | null;
  /** What lies among the packages. */
  packages: string[];
  paths: PathEntries;
}

const MAX_BYTES = 16 * 1024;
const MAX_LINKS = 10;
/** What runs see of the system, by the same paths. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Reads the configuration of a virtual environment. Returns a reason if no Python can use it.
 *
 * @param workspace Its real path.
 * @param visible Directories beside the system's that runs see by the paths of this machine.
 */
export function readVenv(workspace: string, name: string, visible: readonly string[]): Venv | string {
  const directory = join(workspace, name);
  const real = realPathOf(directory);
  if (!isInside(real, workspace)) return "it is a link that leads out of the workspace";
  const text = readSmallFile(join(real, "pyvenv.cfg"), MAX_BYTES);
  if (text === null) return "its pyvenv.cfg is not a plain file";
  const settings = new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const [key = "", ...value] = line.split("=");
      return value.length === 0 ? [] : [[key.trim().toLowerCase(), value.join("=").trim()] as const];
    }),
  );
  const named = /^3\.\d+/.exec(settings.get("version") ?? settings.get("version_info") ?? "")?.[0];
  const lib = listDirectory(join(real, "lib")).filter((each) => /^python3\.\d+$/.test(each));
  const version = named ?? (lib.length === 1 ? (lib[0]?.slice("python".length) ?? null) : null);
  const site = version === null ? null : join(real, "lib", `python${version}`, "site-packages");
  const isPlain = site !== null && realPathOf(site) === site;
  const packages = isPlain ? listDirectory(site) : [];
  const home = settings.get("home") ?? "";
  const isVisible = (path: string) => [...SYSTEM, ...visible].some((place) => isInside(normalize(path), place));
  return {
    name,
    version,
    home,
    starts: isVisible(home) && exists(home) && startsInside(join(real, "bin", "python"), workspace, isVisible),
    site: isPlain && exists(site) ? site.slice(workspace === "/" ? 1 : workspace.length + 1) : null,
    packages,
    paths: isPlain ? readPathFiles(workspace, site, packages) : { absolute: [], relative: [], outside: [] },
  };
}

/** Each link on the way leads to something that runs see, too: an absolute one into the workspace does not. */
function startsInside(path: string, workspace: string, isVisible: (path: string) => boolean): boolean {
  let at = path;
  try {
    for (let links = 0; links <= MAX_LINKS; links++) {
      if (!lstatSync(at).isSymbolicLink()) return isVisible(realpathSync(at)) || isInside(realpathSync(at), workspace);
      const target = readlinkSync(at);
      if (target.startsWith("/") && !isVisible(target)) return false;
      at = resolve(dirname(at), target);
    }
  } catch {
    // It is not there.
  }
  return false;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}
