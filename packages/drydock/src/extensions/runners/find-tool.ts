import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Mount } from "../../sandbox/index.ts";
import { toolMissingError, unsafePathError } from "../errors.ts";
import type { ExtensionView, RunnerPorts } from "../ports.ts";

/** Where a run sees the extension's own files. */
export const EXTENSION_MOUNT = "/extension";
const HOME_MOUNT = "/opt/drydock";
const OWN_FOLDERS = ["tools", "bin"];
/** What the sandbox shows of the system's programs. */
const SYSTEM_DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
/** Every run has these, whichever the host's own are. */
const INTERPRETERS = ["python3", "python", "node"];

export interface ResolvedTool {
  name: string;
  /** What is started inside. */
  program: string;
  /** What the run has to see for that. */
  mount: Mount | null;
}

/** A name may carry a suffix that the program itself does not have: `postman_cli` is `postman`, else what it says. */
export function listCandidates(tool: string): string[] {
  const plain = tool.replace(/_(?:cli|tool)$/, "");
  return plain === tool || plain === "" ? [tool] : [plain, tool];
}

/** The extension's own folders come first, then those of the home, then the system's directories that are on the PATH. */
export function findTool(
  tool: string,
  { manifest, directory }: Pick<ExtensionView, "manifest" | "directory">,
  { toolDirectories, searchPath }: Pick<RunnerPorts, "toolDirectories" | "searchPath">,
): ResolvedTool {
  const candidates = listCandidates(tool);
  const extensionMount = { source: directory, target: EXTENSION_MOUNT };
  for (const folder of OWN_FOLDERS) {
    const name = candidates.find((candidate) => isOwnProgram(join(directory, folder), candidate));
    if (name !== undefined) return { name, program: `${EXTENSION_MOUNT}/${folder}/${name}`, mount: extensionMount };
  }
  for (const folder of toolDirectories) {
    const name = candidates.find((candidate) => isOwnProgram(folder, candidate));
    if (name === undefined) continue;
    const target = `${HOME_MOUNT}/${basename(folder)}`;
    return { name, program: `${target}/${name}`, mount: { source: folder, target } };
  }
  const onPath = searchPath.split(":").filter((place) => SYSTEM_DIRECTORIES.includes(place));
  for (const name of candidates) {
    if (INTERPRETERS.includes(name)) return { name, program: name, mount: null };
    const place = onPath.find((each) => isProgram(join(each, name)));
    if (place !== undefined) return { name, program: join(place, name), mount: null };
  }
  const own = OWN_FOLDERS.map((folder) => `the extension's ${folder}/`);
  throw toolMissingError(candidates[0] ?? tool, manifest.id, [...own, ...toolDirectories, ...onPath]);
}

/** One that is there and leads elsewhere is refused: the next place is not meant by it. */
function isOwnProgram(folder: string, name: string): boolean {
  const path = join(folder, name);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  if (!found.isSymbolicLink()) return isProgram(path, found);
  const real = realPathOf(path);
  const inside = realPathOf(folder);
  if (real === null || inside === null || !real.startsWith(`${inside}${sep}`)) {
    throw unsafePathError("The tool", path, "it is a link that leads out of its folder");
  }
  return isProgram(path);
}

function isProgram(path: string, stats = statSync(path, { throwIfNoEntry: false })): boolean {
  if (!stats?.isFile()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null; // it leads nowhere
  }
}
