import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { PYTHON_FILES } from "./notebook-session.ts";

/** Where Jupyter looks for kernels: with the user, or below a prefix such as a virtual environment or /usr/local. */
export interface KernelPlace {
  name: string;
  prefix?: string;
  environment: Record<string, string | undefined>;
}

export interface KernelSpec {
  /** The program that speaks for the kernel: `drydock` as it was started. */
  program: readonly string[];
  /** The directory that cells see; `.` is that of the notebook. */
  workspace?: string;
  home?: string;
  version: string;
}

/** Gives the directory of the kernel. One of the same name is replaced where it is Drydock's. */
export async function installKernel(place: KernelPlace, spec: KernelSpec): Promise<string> {
  const directory = findDirectory(place);
  if (existsSync(directory)) await requireOurs(directory, place.name);
  const { program, workspace, home, version } = spec;
  const seeing = workspace === undefined ? [] : ["--workspace", workspace];
  const text = {
    // Jupyter puts its own Python here, which is the one that surely has pyzmq.
    argv: ["python3", join(PYTHON_FILES, "wire.py"), "{connection_file}", ...program, "jupyter", "kernel", ...seeing],
    display_name: place.name === "drydock" ? "Drydock (Python)" : `Drydock (${place.name})`,
    language: "python",
    interrupt_mode: "message",
    ...(home !== undefined && { env: { DRYDOCK_HOME: home } }),
    metadata: { drydock: { version } },
  };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "kernel.json"), `${JSON.stringify(text, null, 2)}\n`);
  return directory;
}

/** Gives the directory that is gone. */
export async function uninstallKernel(place: KernelPlace): Promise<string> {
  const directory = findDirectory(place);
  if (!existsSync(directory)) {
    const hint = "`jupyter kernelspec list` shows what is installed; --prefix and --name say which one is meant.";
    throw new DrydockError("input.invalid", `There is no kernel in ${directory}.`, hint, { directory });
  }
  await requireOurs(directory, place.name);
  await rm(directory, { recursive: true });
  return directory;
}

function findDirectory({ name, prefix, environment }: KernelPlace): string {
  if (!/^[a-z0-9._-]+$/i.test(name) || /^\.+$/.test(name)) {
    const hint = "Use letters, digits, dots, dashes and underscores.";
    throw new DrydockError("input.invalid", `${JSON.stringify(name)} is not a valid name for a kernel.`, hint);
  }
  const { JUPYTER_DATA_DIR: own, XDG_DATA_HOME: shared } = environment;
  const ofUser = own || join(shared || join(homedir(), ".local", "share"), "jupyter");
  return resolve(prefix === undefined ? ofUser : join(prefix, "share", "jupyter"), "kernels", name);
}

async function requireOurs(directory: string, name: string): Promise<void> {
  const text = await readFile(join(directory, "kernel.json"), "utf8").catch(() => "");
  if (/"drydock"\s*:\s*\{/.test(text)) return;
  const hint = "Give ours another name with --name.";
  throw new DrydockError("input.invalid", `The kernel ${name} in ${directory} is not Drydock's.`, hint, { directory });
}
