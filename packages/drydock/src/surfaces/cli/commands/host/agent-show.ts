import type { Binding } from "@drydock/protocol";
import type { Command } from "commander";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { writeFilter } from "./read-filter.ts";

export function defineShow(agent: Command, { terminal }: CommandContext): void {
  agent
    .command("show")
    .description("Shows an agent with its bindings.")
    .argument("<name>", "the agent")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const { found, bindings, bases } = await useDock(async (dock) => {
        const all = await dock.host.agents.bindings();
        const agentFound = await dock.host.agents.find(name);
        const known = agentFound.grants.knowledge.length === 0 ? [] : await dock.knowledge.list();
        return { found: agentFound, bindings: all.filter((each) => each.agent === name), bases: known };
      });
      if (json) return terminal.out(`${JSON.stringify({ ...found, bindings })}\n`);
      const { runner, config, grants, timeoutSeconds, box, forcedBoxScope } = found;
      terminal.out(`${name}\n  runner:   ${runner}\n  settings: ${cleanLine(JSON.stringify(config))}\n`);
      const list = (names: readonly string[]) => names.join(", ") || "none";
      terminal.out(`  models:   ${list(grants.models)}\n  state:    ${grants.stateScopes.join(", ")}\n`);
      terminal.out(`  tools:    ${list(grants.tools)}\n  actions:  ${list(grants.actions)}\n`);
      const isThere = (base: string) => bases.some((each) => each.name === base || each.id === base);
      const searched = grants.knowledge.map((base) => (isThere(base) ? base : `${base} (removed)`));
      terminal.out(`  searches: ${list(searched)}\n`);
      const forced = `${forcedBoxScope} (forced by config.yaml in place of ${box.scope})`;
      terminal.out(`  skills:   ${list(grants.skills)}\n  box:      ${forcedBoxScope ? forced : box.scope}\n`);
      terminal.out(`  timeout:  ${timeoutSeconds} s\n`);
      for (const binding of bindings) terminal.out(`  binding:  ${binding.id} ${describeBinding(binding)}\n`);
      if (bindings.length === 0) terminal.out(`  binding:  none: \`drydock agent bind ${name}\`\n`);
    });
}

export function describeBinding({ event, scope, value, filters, priority }: Binding): string {
  const where = `${scope}${value ? ` ${cleanLine(value)}` : ""}`;
  const tests = filters.map((filter) => `, ${cleanLine(writeFilter(filter))}`).join("");
  return `${event}, ${where}, priority ${priority}${tests}`;
}
