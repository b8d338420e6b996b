import { lstat, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { RunContext } from "@drydock/protocol/runner";
import type { GatewayAccess } from "./create-gateway.ts";

const SYSTEM = /^\/(bin|boot|dev|etc|lib|lib32|lib64|libx32|opt|proc|root|run|sbin|srv|sys|usr|var)?(\/|$)/;
/** Below system directories, these are for everybody's files. */
const SHARED = /^\/(var\/tmp|run\/user\/\d+)\/./;

/**
 * Writes what an external harness needs into its directory, for its owner's eyes only: what the run is about, the same for
 * people, and how to reach the host. Files that are there already are not replaced. Returns how to remove them.
 */
export async function writeHarnessFiles(
  directory: string,
  context: RunContext,
  access: GatewayAccess,
): Promise<() => Promise<void>> {
  await requireHarnessDirectory(directory);
  const files = {
    "agent-context.json": `${JSON.stringify(projectContext(context), null, 2)}\n`,
    "AGENT_CONTEXT.md": describeContext(context),
    ".mcp.json": `${JSON.stringify(toMcpConfig(access), null, 2)}\n`,
  };
  const written: string[] = [];
  const remove = async () => {
    for (const path of written) await rm(path, { force: true });
  };
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(directory, name);
      await writeFile(path, text, { mode: 0o600, flag: "wx" });
      written.push(path);
    }
  } catch (error) {
    await remove();
    const message = `The directory for the harness can't be used: ${error instanceof Error ? error.message : error}.`;
    throw new DrydockError("input.invalid", message, "Give an empty directory.", { directory });
  }
  return remove;
}

/** Without settings, which may hold keys. */
function projectContext(context: RunContext): object {
  const { run_id, event, conversation, actor, subject, input, delivery, resources, state, runtime } = context;
  const parts = { run_id, event, conversation, actor, subject, input, delivery, resources, state, runtime };
  return { ...parts, context: context.context };
}

function describeContext({ run_id, event, conversation, actor, input, resources }: RunContext): string {
  const tools = resources.tools.map(({ tool_name }) => tool_name).join(", ") || "none";
  return `# Run ${run_id}

- Event: ${event.event_type}, ${event.event_id}
- Conversation: ${conversation?.conversation_id ?? "none"}
- From: ${actor?.actor_name ?? actor?.actor_id ?? "nobody"}
- Tools of the host: ${tools}

The MCP server \`drydock\` gives the history, tools, artifacts and state of this run. Each call names \`run_id\`.

## Input

${input.text ?? ""}
`;
}

function toMcpConfig({ url, token }: GatewayAccess): object {
  return { mcpServers: { drydock: { type: "http", url, headers: { Authorization: `Bearer ${token}` } } } };
}

/** Absolute, a directory itself and not a link to one, and nobody's home nor the system's. */
export async function requireHarnessDirectory(directory: string): Promise<void> {
  const refuse = (reason: string) => {
    const hint = "Give the absolute path of a directory of its own.";
    return new DrydockError("input.invalid", `The harness can't use ${directory}: ${reason}.`, hint, { directory });
  };
  if (!isAbsolute(directory)) throw refuse("the path is not absolute");
  const found = await lstat(directory).catch(() => null);
  if (!found?.isDirectory()) throw refuse("it is not a directory");
  const real = await realpath(directory);
  if (real !== directory.replace(/(?<=.)\/+$/, "")) throw refuse(`it leads to ${real}`);
  if (real === homedir() || (SYSTEM.test(real) && !SHARED.test(real)))
    throw refuse("it belongs to the system or is a home");
}
