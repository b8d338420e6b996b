import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cutText } from "../../base/text/index.ts";
import type { Python } from "../find-python.ts";
import { keepFiles } from "./keep-files.ts";
import { listScripts } from "./list-scripts.ts";
import type { Project } from "./open-project.ts";
import { readVenv, type Venv } from "./read-venv.ts";

const ROOT = "/work";
/** Where runs see what is written for them: programs, and a file that leads Python to the packages. */
const PLACE = "/opt/project";
/** What a stranger may have written is not quoted at length in a sentence of ours. */
const MAX_SHOWN = 200;

interface VenvOptions {
  /** Its real path. */
  workspace: string;
  python: Python;
  cacheDirectory: string;
}

/** As `activate` would do it, for the place where the workspace is inside. Returns what is used; null: nothing. */
export function addVenv(project: Project, name: string, options: VenvOptions): string | null {
  const { workspace, python } = options;
  const venv = readVenv(workspace, name, python.paths);
  if (typeof venv === "string") {
    project.notes.push(`project environment: ${name} is not used: ${venv}`);
    return null;
  }
  const own = versionOf(python.path);
  const isSame = own !== null && venv.version === own;
  if (!venv.starts && !isSame) {
    project.notes.push(`project environment: ${name} is not used: ${explainUnusable(venv, own)}`);
    return null;
  }
  const inside = (path: string) => `${ROOT}${path.slice(workspace === "/" ? 0 : workspace.length)}`;
  const bin = `${ROOT}/${name}/bin`;
  const { absolute, relative, outside } = venv.paths;
  const site = venv.site === null ? [] : [`${ROOT}/${venv.site}`, ...relative.map(inside)];
  const interpreter = venv.starts ? `${bin}/python` : python.path;
  const launchers = listScripts(join(workspace, name, "bin")).map(
    (each) => [`bin/${each}`, `#!/bin/sh\nexec ${quote(interpreter)} ${quote(`${bin}/${each}`)} "$@"\n`] as const,
  );
  const [packages] = site;
  const leading =
    isSame && packages !== undefined
      ? [[`user/lib/python${own}/site-packages/project.pth`, leadTo(own, packages)] as const]
      : [];
  const files = Object.fromEntries([...launchers, ...leading]);
  if (Object.keys(files).length > 0) {
    project.mounts.push({ source: keepFiles(join(options.cacheDirectory, "projects"), files), target: PLACE });
  }
  if (launchers.length > 0) project.before.push(`${PLACE}/bin`);
  project.pythonPath.push(...absolute.map(inside));
  if (venv.starts) {
    project.before.push(bin);
    project.variables.VIRTUAL_ENV = `${ROOT}/${name}`;
  } else project.after.push(bin);
  if (isSame) {
    project.variables.PYTHONUSERBASE = `${PLACE}/user`;
    project.site.push(...site);
    project.modules.push(...venv.packages.map((each) => /^[^./-]*/.exec(each)?.[0] ?? ""));
    if (venv.starts) project.executable = interpreter;
  } else {
    project.notes.push(
      `project environment: ${name} is for Python ${venv.version ?? "of an unknown version"}, and code runs in ${own ?? "another"}: only its own commands use it, such as python FILE`,
    );
  }
  if (outside.length > 0) {
    project.notes.push(
      `project environment: ${name} leads to ${cutText(outside[0] ?? "", MAX_SHOWN)}, which is outside the workspace and not visible in the sandbox`,
    );
  }
  const whose = venv.starts ? "" : "; run by the sandbox's Python, because its own is missing";
  return `${name} (Python ${venv.version ?? "of an unknown version"}${whose})`;
}

/** Python's own modules come first, and those of the system last. A Python of another version takes no notice. */
function leadTo(version: string, site: string): string {
  const isVersion = `sys.version_info[:2] == (${version.replace(".", ", ")})`;
  return `import site, sys; ${isVersion} and site.addsitedir(${JSON.stringify(site)})\n`;
}

function explainUnusable({ name, version, home }: Venv, own: string | null): string {
  const found = version === null ? "it does not say which Python it is for" : `it is for Python ${version}`;
  const advice = own === null ? "" : `. Recreate it: python${own} -m venv ${name}`;
  return `${found}, of ${cutText(home, MAX_SHOWN) || "an unknown place"}, which the sandbox does not have; the sandbox has ${own ?? "another"}${advice}`;
}

/** "3.11" of /usr/bin/python3.11; else of the library beside it. */
function versionOf(path: string): string | null {
  const named = /python(3\.\d+)$/.exec(basename(path))?.[1];
  if (named !== undefined) return named;
  try {
    const names = readdirSync(join(dirname(dirname(path)), "lib"));
    const versions = names.flatMap((each) => /^python(3\.\d+)$/.exec(each)?.[1] ?? []);
    return versions.length === 1 ? (versions[0] ?? null) : null;
  } catch {
    return null;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
