import type { Dock } from "../../app/index.ts";

/** What whoever starts a server decides. A client can only ask for less. */
export interface McpOptions {
  /**
   * Directories that clients may name as a workspace, with all that lies below them. The first is what a relative path
   * starts from. Default: none, which leaves scratch directories; `any` leaves it to the policy alone.
   */
  workspaces?: readonly string[] | "any";
  /** Tools that are offered, as patterns (`session_*`). Default: all. */
  tools?: readonly string[];
  /** The model for goals and tasks, where the client names none. Default: as configured. */
  model?: string;
}

export interface McpContext {
  dock: Dock;
  options: McpOptions;
  /** Runs that this server has started, newest last: what it lists as resources. */
  ownRuns: Set<string>;
}

const MAX_OWN_RUNS = 1000;

export function createMcpContext(dock: Dock, options: McpOptions): McpContext {
  return { dock, options, ownRuns: new Set() };
}

export function rememberRun({ ownRuns }: McpContext, runId: string): void {
  ownRuns.add(runId);
  for (const oldest of ownRuns) {
    if (ownRuns.size <= MAX_OWN_RUNS) break;
    ownRuns.delete(oldest);
  }
}
