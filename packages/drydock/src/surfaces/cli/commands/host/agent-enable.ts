import { DrydockError, type HarnessPlan } from "@drydock/protocol";
import type { Command } from "commander";
import { askYesNo, canAsk } from "../../../terminal/ask-yes-no.ts";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

interface EnableFlags extends RunFlags {
  yes?: boolean;
}

/** An agent that its runner starts on this machine is off until somebody has seen what it may do. */
export function defineEnable(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("enable")
    .description("Shows what an agent on this machine may do, and enables it if you agree.")
    .argument("<name>", "an agent of a runner that starts programs, such as acp-agent")
    .option("--yes", "agree to what it may do")
    .addOption(jsonOption())
    .action(async (name: string, { yes, json }: EnableFlags) => {
      using interrupts = watchInterrupts();
      const { signal } = interrupts;
      const enabled = await useDock(async (dock) => {
        const plan = await dock.host.agents.harness(name);
        if (!(yes && json)) (json ? terminal.err : terminal.out)(renderPlan(plan));
        if (!yes && !canAsk()) throw consentError(name);
        await terminal.flush();
        const agrees = yes || (await askYesNo({ text: "Enable it?", signal }));
        return agrees ? dock.host.agents.enable(name, { hash: plan.hash }) : plan;
      });
      const word = enabled.enabled ? "is enabled" : "stays off";
      terminal.out(json ? `${JSON.stringify(enabled)}\n` : `The agent ${name} ${word}.\n`);
    });
  agent
    .command("disable")
    .description("Switches an agent on this machine off.")
    .argument("<name>", "the agent")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const plan = await useDock((dock) => dock.host.agents.disable(name));
      terminal.out(json ? `${JSON.stringify(plan)}\n` : `The agent ${name} is off.\n`);
    });
}

const PERMISSIONS = {
  ask: "a person is asked, unless the policy denies it",
  deny: "all are denied",
  allow: "all are granted that the policy does not deny",
} as const satisfies Record<HarnessPlan["permissions"], string>;
const DELIVERY = {
  keep: "kept until somebody applies them",
  "if-passed": "applied if the checks pass",
} as const satisfies Record<HarnessPlan["deliver"], string>;

function renderPlan(plan: HarnessPlan): string {
  const list = (names: readonly string[]) => names.map(cleanLine).join(", ") || "none";
  const skills = plan.skills.map(({ name, version, sha256 }) => `${name} ${version ?? ""}(${sha256.slice(0, 12)})`);
  const rows = {
    program: cleanLine(plan.command.join(" ")),
    directory: cleanLine(plan.directory),
    changes: DELIVERY[plan.deliver],
    checks: list(plan.checks),
    permissions: PERMISSIONS[plan.permissions],
    hosts: list(plan.hosts),
    upstreams: list(plan.upstreams),
    variables: list(plan.variables),
    tools: list(plan.tools),
    "MCP servers": list(plan.mcpServers.map(({ name, at }) => `${name} (${at})`)),
    skills: list(skills),
  };
  const lines = Object.entries(rows).map(([name, value]) => `  ${`${name}:`.padEnd(13)} ${value}`);
  const risks = plan.risks.map((risk) => `  ! ${cleanLine(risk)}`);
  return `${[`${plan.agent} (${plan.runner})${plan.enabled ? ", enabled" : ""}`, ...lines, ...risks].join("\n")}\n`;
}

function consentError(agent: string): DrydockError {
  const message = `The agent ${agent} needs your consent, and there is no terminal to ask on. It stays off.`;
  return new DrydockError("policy.approval_denied", message, "Read what it may do, and agree with --yes.", { agent });
}
