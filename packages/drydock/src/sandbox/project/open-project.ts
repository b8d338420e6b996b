import type { EffectivePolicy } from "@drydock/protocol";
import type { Python } from "../find-python.ts";
import type { Mount } from "../resolve-mounts.ts";
import { addVenv } from "./add-venv.ts";
import { NODE_BIN, type ProjectSigns } from "./find-project.ts";
import { placeToolchains, type ToolchainOptions } from "./place-toolchains.ts";

/** What a run finds of the project that it works on, and of the owner's toolchains. */
export interface Project {
  /** Directories of programs, as runs see them: to be searched before those of the system, and after. */
  before: string[];
  after: string[];
  variables: Record<string, string>;
  /** Directories that every Python looks into first. */
  pythonPath: string[];
  /** Directories of packages for the interpreter that is running already. */
  site: string[];
  /** Names of what lies in those. */
  modules: string[];
  /** What `sys.executable` is to be. */
  executable?: string;
  mounts: Mount[];
  notes: string[];
}

export interface ProjectOptions extends ToolchainOptions {
  policy: EffectivePolicy;
  signs: ProjectSigns | null;
  python: Python;
  cacheDirectory: string;
}

const ROOT = "/work";

export function openProject(options: ProjectOptions): Project {
  const { signs, workspace, policy } = options;
  const toolchains = placeToolchains(policy.sandbox.toolchains, options);
  const project: Project = {
    ...{ before: [], after: [], variables: {}, pythonPath: [], site: [], modules: [] },
    ...{ mounts: toolchains.mounts, notes: toolchains.notes },
  };
  const used: string[] = [];
  if (signs?.venv && workspace !== null) {
    const venv = addVenv(project, signs.venv, { ...options, workspace });
    if (venv !== null) used.push(venv);
  }
  project.before.push(...toolchains.bins);
  if (signs?.hasBin) {
    project.after.push(`${ROOT}/${NODE_BIN}`);
    used.push(NODE_BIN);
  }
  if (used.length > 0) project.notes.unshift(`project environment: ${used.join(", ")}`);
  return project;
}
