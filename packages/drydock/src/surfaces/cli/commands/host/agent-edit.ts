import type { HostAgentChanges } from "@drydock/protocol";
import type { Command } from "commander";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { readObject } from "./read-object.ts";

interface EditFlags extends Omit<RunFlags, "timeout"> {
  runner?: string;
  config?: string;
  model?: string[];
  tool?: string[];
  knowledge?: string[];
  skill?: string[];
  grants?: string;
  box?: string;
  delivery?: string;
  timeout?: string;
}

/** What is named is changed; the rest stays. */
export function defineEdit(agent: Command, { terminal }: CommandContext): void {
  const collect = (value: string, before: string[] = []) => [...before, value];
  agent
    .command("edit")
    .description("Changes an agent. What is not named stays; runs under way keep what they were granted.")
    .argument("<name>", "the agent")
    .option("--runner <id>", "another runner: its short name, or plugin:AUTHOR/PLUGIN/RUNNER")
    .option("--config <json>", "settings of the runner, a JSON object in place of the old one")
    .option("--model <id>", "a model that its runs may ask (repeatable; in place of the old ones)", collect)
    .option("--tool <name>", "a tool that its runs may use (repeatable; in place of the old ones)", collect)
    .option(
      "--knowledge <name>",
      "a knowledge base that its runs may search (repeatable; in place of the old ones)",
      collect,
    )
    .option("--skill <name>", "a skill that its runs may activate (repeatable; in place of the old ones)", collect)
    .option("--box <json>", "what of its box is to be changed, a JSON object")
    .option("--grants <json>", "what of its grants is to be changed, a JSON object")
    .option("--delivery <json>", "what of its delivery is to be changed, a JSON object")
    .option("--timeout <seconds>", "how long one answer may take")
    .addOption(jsonOption())
    .action(async (name: string, { json, ...flags }: EditFlags) => {
      const changed = await useDock((dock) => dock.host.agents.change(name, readChanges(flags)));
      terminal.out(json ? `${JSON.stringify(changed)}\n` : `The agent ${name} is changed.\n`);
    });
}

function readChanges({ runner, config, grants, delivery, box, timeout, ...lists }: EditFlags): HostAgentChanges {
  const { model: models, tool: tools, knowledge, skill: skills } = lists;
  const granted = {
    ...readObject("--grants", grants),
    ...(models && { models }),
    ...(tools && { tools }),
    ...(knowledge && { knowledge }),
    ...(skills && { skills }),
  };
  return {
    ...(runner !== undefined && { runner }),
    ...(config !== undefined && { config: readObject("--config", config) }),
    ...(timeout !== undefined && { timeoutSeconds: Number(timeout) }),
    ...(box !== undefined && { box: readObject("--box", box) }),
    ...(delivery !== undefined && { delivery: readObject("--delivery", delivery) }),
    ...(Object.keys(granted).length > 0 && { grants: granted }),
  };
}
