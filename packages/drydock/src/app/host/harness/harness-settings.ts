import { DrydockError, explainIssues } from "@drydock/protocol";
import * as z from "zod";

const words = z.array(z.string().min(1).max(4096)).max(50).default([]);

/** Settings of a runner that drives an agent on this machine. The host reads them itself: the runner can't change them. */
const HarnessSettings = z.object({
  command: z.array(z.string().min(1).max(4096)).min(1).max(100),
  directory: z.string().min(1).max(4096),
  environment: words,
  hosts: words,
  upstreams: words,
  permissions: z.enum(["ask", "deny", "allow"]).default("ask"),
  checks: words,
  deliver: z.enum(["keep", "if-passed"]).default("keep"),
  skills: words,
});
export type HarnessSettings = z.infer<typeof HarnessSettings>;

/** Flags by which agents skip permissions, talk in another way, or use other servers than they are given. */
const REFUSED_FLAG =
  /^(-y|-p|-a|--?(yolo|full-auto|auto-approve|auto-edit|approval-mode|ask-for-approval|permission-(mode|prompt-tool)|allowed-?tools|no-permissions?|skip-permissions?|(allow-)?dangerously-[\w-]+|bypass-[\w-]+|sandbox|protocol(-version)?|(in|out)put-format|print|prompt|mcp-config|strict-mcp-config))(=|$)/i;

/** What the sandbox sets, and what changes which programs or libraries are started. */
const OWN_VARIABLE =
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|IFS|ENV|BASH_ENV|NODE_OPTIONS|NODE_PATH|PYTHON(PATH|HOME|STARTUP)|LD_\w+|DRYDOCK\w*|\w+_PROXY|\w+_BASE_URL)$/i;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;

/** Reads the settings, and refuses what would take a decision out of the owner's hands. */
export function readHarnessSettings(config: Record<string, unknown>): HarnessSettings {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null && value !== ""));
  const { data, error } = HarnessSettings.safeParse(given);
  if (error) {
    const problem = explainIssues(error.issues.slice(0, 3), "settings").join("; ");
    const hint = 'An example: {"command": ["claude-agent-acp"], "directory": "/home/me/app"}.';
    throw new DrydockError("input.invalid", `The settings of the agent are not valid: ${problem}.`, hint);
  }
  const flag = data.command
    .slice(1)
    .flatMap((word) => word.split(/\s+/))
    .find((word) => REFUSED_FLAG.test(word));
  if (flag !== undefined) {
    const hint = "Leave it out: the policy answers what the agent asks for, and the host speaks its protocol.";
    throw refuse("command", `${flag} changes how the agent asks for permission or talks`, hint);
  }
  for (const entry of data.environment) checkVariable(entry);
  return data;
}

function checkVariable(entry: string): void {
  const [name = "", ...value] = entry.split("=");
  if (OWN_VARIABLE.test(name)) throw refuse("environment", `${name} is set by the sandbox`, "Leave it out.");
  if (value.length === 0 || !SECRET_NAME.test(name)) return;
  const hint = "Settings are on record. Use an upstream, whose key stays outside: `drydock upstream add NAME`.";
  throw refuse("environment", `${name} looks like a secret`, hint);
}

function refuse(field: string, reason: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", `The setting ${field} is refused: ${reason}.`, hint, { field });
}
