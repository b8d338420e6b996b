import type { Python } from "../find-python.ts";
import type { RunRequest } from "../run-request.ts";
import { findProject, type ProjectSigns } from "./find-project.ts";
import type { Project } from "./open-project.ts";

type ProjectRequest = Pick<RunRequest, "policy" | "workspace" | "project">;

/** What there is to be added to a run; null: nothing, as for most. */
interface Signs {
  project: ProjectSigns | null;
}

export function lookForProject(
  { policy, workspace, project }: ProjectRequest,
  isHidden: (path: string) => boolean,
): Signs | null {
  if (!project) return null;
  const isWanted = workspace !== null && policy.project.environment === "auto";
  const found = isWanted ? findProject(workspace, isHidden) : null;
  return found || policy.sandbox.toolchains.length > 0 ? { project: found } : null;
}

interface ProjectPaths {
  python: Python;
  cacheDirectory: string;
  own: readonly string[];
  userHome: string;
}

/** Puts the programs and packages of the project into the variables of a run, and tells what else it needs. */
export async function addProject(
  variables: Record<string, string>,
  signs: Signs,
  options: ProjectPaths & ProjectRequest,
): Promise<Pick<Project, "mounts" | "modules" | "notes"> & { code: Record<string, unknown> }> {
  const { openProject } = await import("./open-project.ts");
  const project = openProject({ ...options, signs: signs.project });
  const { before, after, pythonPath, site, executable } = project;
  variables.PATH = [...before, variables.PATH, ...after].join(":");
  Object.assign(variables, project.variables);
  const searched = [variables.PYTHONPATH, ...pythonPath].filter((each) => each !== undefined && each !== "");
  if (searched.length > 0) variables.PYTHONPATH = searched.join(":");
  return { ...project, code: site.length > 0 ? { site, executable } : {} };
}
