import { randomUUID } from "node:crypto";
import type { CapabilityTool, CapabilityWaiting } from "@drydock/protocol";
import picomatch from "picomatch";
import type { Dock } from "../../app/index.ts";
import { type ToolWatch, watchTools } from "./capabilities/watch-tools.ts";

/** Settings of the user who starts the server. A client can only request less. */
export interface McpOptions {
  /**
   * Directories that clients may name as a workspace, with all that lies below them. The first is what a relative path
   * starts from. Default: none, which leaves scratch directories; `any` leaves it to the policy alone.
   */
  workspaces?: readonly string[] | "any";
  /**
   * Tools that are offered, as patterns (`session_*`). Default: Drydock's own, without those that few agents need: `plan_goal`,
   * `task_list`, `task_run`, `audit_verify`, `kb_search`, `agent_list`, `agent_send`, `conversation_page`. A pattern that they
   * fit, such as `*`, offers them, too.
   */
  tools?: readonly string[];
  /**
   * Extensions whose actions are tools as well, by name or command, as patterns (`git`, `*`). Default: those that `tools`
   * names (`git__*`), else none: their descriptions would fill the room of models that never use them.
   */
  extensions?: readonly string[];
  /** The model for goals and tasks, where the client names none. Default: as configured. */
  model?: string;
}

export interface McpContext {
  dock: Dock;
  options: McpOptions;
  /** Whether a tool is among those that are offered; with `byChoice`, only where a pattern names it. */
  isOffered(tool: string, byChoice?: boolean): boolean;
  /** Runs that this server has started, newest last: what it lists as resources. */
  ownRuns: Set<string>;
  /** The actions of extensions that are offered. */
  capabilities: ToolWatch;
  /** Calls that wait for a person's answer, by the id of the question. */
  pendingApprovals: Map<string, CapabilityWaiting>;
  /** Open questions of tools: from the id of a question to the call that it is about. */
  questions: Map<string, string>;
  /** The conversation of a server that has one client; otherwise each client has its own. */
  session: string | null;
  /** A word for the client of a server that has one. Of several clients nobody knows who asks. */
  readonly caller: string;
}

const MAX_OWN_RUNS = 1000;

export function createMcpContext(
  dock: Dock,
  options: McpOptions,
  { session = null }: { session?: string | null } = {},
): McpContext {
  const { tools } = options;
  const isListed: (tool: string) => boolean = tools === undefined ? () => true : picomatch([...tools]);
  // A pattern that only excludes others names none.
  const named = (tools ?? []).filter((pattern) => !pattern.startsWith("!"));
  const isNamed: (tool: string) => boolean = named.length === 0 ? () => false : picomatch(named);
  const isOffered = (tool: string, byChoice = false) => isListed(tool) && (!byChoice || isNamed(tool));
  const isChosen = chooseExtensions(options);
  const capabilities = watchTools(async () =>
    (await dock.extensions.tools()).filter((tool) => isOffered(tool.name) && isChosen(tool)),
  );
  return {
    dock,
    options,
    isOffered,
    ownRuns: new Set(),
    capabilities,
    pendingApprovals: new Map(),
    questions: new Map(),
    session,
    get caller() {
      return session ?? randomUUID();
    },
  };
}

function chooseExtensions({ extensions = [], tools = [] }: McpOptions): (tool: CapabilityTool) => boolean {
  const isNamed = extensions.length > 0 ? picomatch([...extensions]) : () => false;
  // A pattern that names actions is a choice, too; one that only excludes some is none.
  const byTool = tools.filter((pattern) => pattern.includes("__") && !pattern.startsWith("!"));
  const isListed = byTool.length > 0 ? picomatch(byTool) : () => false;
  return ({ name, extension, command }) => isNamed(extension) || isNamed(command) || isListed(name);
}

export function rememberRun({ ownRuns }: McpContext, runId: string): void {
  ownRuns.add(runId);
  for (const oldest of ownRuns) {
    if (ownRuns.size <= MAX_OWN_RUNS) break;
    ownRuns.delete(oldest);
  }
}
