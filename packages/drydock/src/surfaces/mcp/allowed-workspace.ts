import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { DrydockError, type Run } from "@drydock/protocol";
import type { McpContext, McpOptions } from "./mcp-context.ts";

/** The directory that a client may use, links resolved; undefined if it requested none. */
export async function allowWorkspace(options: McpOptions, requested: string | undefined): Promise<string | undefined> {
  if (requested === undefined) return undefined;
  const { workspaces = [] } = options;
  if (workspaces === "any") return resolve(requested);
  const base = workspaces[0];
  const path = base === undefined ? undefined : await realpath(resolve(base, requested)).catch(() => undefined);
  if (path !== undefined && (await isBelow(workspaces, path))) return path;
  const hint =
    base === undefined
      ? "Leave `workspace` out to work in an empty directory, or start the server with --workspace DIR."
      : `Directories in ${workspaces.join(", ")} can be named; paths are relative to ${base}.`;
  throw new DrydockError("policy.path_denied", `${requested} is not a workspace of this server.`, hint, {
    workspace: requested,
  });
}

/** The workspace of what can't do without one: the one named, else the server's first. */
export async function requireWorkspace(options: McpOptions, requested: string | undefined): Promise<string> {
  const workspace = await allowWorkspace(options, requested ?? (options.workspaces === "any" ? undefined : "."));
  if (workspace !== undefined) return workspace;
  throw new DrydockError("input.invalid", "`workspace` is missing.", "Name the directory to work on.");
}

/** A run of this home that clients may use: this server's own, and those whose workspace they could have named. */
export async function requireRun({ dock, options, ownRuns }: McpContext, runId: string): Promise<Run> {
  const run = await dock.runs.get(runId);
  if (ownRuns.has(run.id)) return run;
  const { workspaces = [] } = options;
  if (run.workspace === null || workspaces === "any" || (await isBelow(workspaces, run.workspace))) return run;
  const hint = "Start the server with --workspace for that directory.";
  throw new DrydockError(
    "policy.path_denied",
    `Run ${run.id} worked on a directory that this server does not offer.`,
    hint,
    { runId: run.id },
  );
}

async function isBelow(workspaces: readonly string[], path: string): Promise<boolean> {
  for (const workspace of workspaces) {
    const root = await realpath(workspace).catch(() => undefined);
    if (root !== undefined && (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep))) return true;
  }
  return false;
}
