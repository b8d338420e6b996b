import { statSync } from "node:fs";
import { join } from "node:path";

/** What a workspace has installed for itself. */
export interface ProjectSigns {
  /** The directory of a virtual environment, relative to the workspace. */
  venv: string | null;
  /** Whether packages of Node brought programs. */
  hasBin: boolean;
}

const VENV_NAMES = [".venv", "venv"];
export const NODE_BIN = "node_modules/.bin";

/** Null where there is nothing: what most runs find out with three calls to the system, and no more. */
export function findProject(workspace: string, isHidden: (path: string) => boolean): ProjectSigns | null {
  const venv = VENV_NAMES.find((name) => isThere(workspace, `${name}/pyvenv.cfg`, isHidden)) ?? null;
  const hasBin = isThere(workspace, NODE_BIN, isHidden);
  return venv === null && !hasBin ? null : { venv, hasBin };
}

function isThere(workspace: string, path: string, isHidden: (path: string) => boolean): boolean {
  try {
    return statSync(join(workspace, path), { throwIfNoEntry: false }) !== undefined && !isHidden(path);
  } catch {
    return false; // who may not look may not use it either
  }
}
