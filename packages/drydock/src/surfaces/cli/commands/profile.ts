import { resolve } from "node:path";
import type { Profile } from "@drydock/protocol";
import type { Command } from "commander";
import { cleanLine } from "../../terminal/clean-text.ts";
import { useDock, useRecords } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { readCode } from "../exec/read-code.ts";
import { jsonOption, parseCount } from "../flags/add-flags.ts";
import type { RunFlags } from "../flags/run-flags.ts";
import { renderProfile, renderProfiles } from "../render/render-profile.ts";
import { userName } from "../user-name.ts";

interface ProfileFlags extends RunFlags {
  workspace: string;
  by?: string;
  reason?: string;
  number?: number;
  file?: string;
  model?: string | false;
}

const HELP = `
A profile is text about a workspace for the prompts of models: its languages, commands, conventions, past failures.
Only an approved one is used. It is text: it changes no policy and runs no command.

Examples:
  $ drydock profile propose --workspace .
  $ drydock profile get --workspace .
  $ drydock profile approve --workspace . --number 1 --reason 'read it'
  $ drydock profile reject --workspace .`;

export function defineCommand(program: Command, context: CommandContext): void {
  const profile = program
    .command("profile")
    .summary("description of a workspace for models: get, propose, approve, reject")
    .description("A description of a workspace that models get once you have approved it.")
    .addHelpText("afterAll", HELP);
  defineGet(profile, context);
  definePropose(profile, context);
  defineDecision(profile, context, "approve", "Approves a proposal. Models get it from now on.");
  defineDecision(
    profile,
    context,
    "reject",
    "Rejects the waiting proposal. If there is none, withdraws the approved profile.",
  );
}

function defineGet(profile: Command, { terminal }: CommandContext): void {
  profile
    .command("get")
    .description("Prints the approved profile, a waiting proposal, and earlier ones.")
    .option("--workspace <dir>", "the workspace", ".")
    .addOption(jsonOption())
    .action(async ({ workspace, json }: ProfileFlags) => {
      const found = await useRecords((dock) => dock.profiles.get(resolve(workspace)));
      terminal.out(json ? `${JSON.stringify(found)}\n` : renderProfiles(found, terminal.outColors));
    });
}

function definePropose(profile: Command, { terminal }: CommandContext): void {
  addDecisionFlags(profile.command("propose"))
    .description("Creates a proposal from the workspace's files, its past runs and, if one is set up, a model.")
    .option("--file <file>", "propose the text in this file instead; - for standard input")
    .option("--model <id>", "the model that adds to it (default: the configured one)")
    .option("--no-model", "do not use a model")
    .action(async ({ workspace, json, file, by = userName(), reason, model }: ProfileFlags) => {
      using interrupts = watchInterrupts();
      const text = file === undefined ? undefined : (await readCode(undefined, file)).code;
      const named = model === false ? false : typeof model === "string" ? model : undefined;
      const { profile: proposed, warning } = await useDock((dock) =>
        dock.profiles.propose({
          ...{ workspace: resolve(workspace), by, reason, text, model: named },
          signal: interrupts.signal,
        }),
      );
      if (warning !== null) terminal.err(`${warning}\n`);
      terminal.out(json ? `${JSON.stringify(proposed)}\n` : renderProfile(proposed, terminal.outColors));
      if (!json) terminal.err(`approve it: ${describeApproval(workspace, proposed.number)}\n`);
    });
}

function defineDecision(
  profile: Command,
  { terminal }: CommandContext,
  decision: "approve" | "reject",
  description: string,
): void {
  addDecisionFlags(profile.command(decision))
    .description(description)
    .option("--number <number>", "the number of the proposal (default: the waiting one)", parseCount)
    .action(async ({ workspace, json, by = userName(), reason, number }: ProfileFlags) => {
      const decided = await useDock((dock) =>
        dock.profiles[decision]({ workspace: resolve(workspace), by, reason, number }),
      );
      terminal.out(json ? `${JSON.stringify(decided)}\n` : describeDecision(decided));
    });
}

function addDecisionFlags(command: Command): Command {
  return command
    .option("--workspace <dir>", "the workspace", ".")
    .option("--by <name>", "who decides (default: your user name)")
    .option("--reason <text>", "the reason, for the record")
    .addOption(jsonOption());
}

function describeApproval(workspace: string, number: number): string {
  const typed = /^[\w./~@+-]+$/.test(workspace) ? workspace : `'${cleanLine(workspace).replaceAll("'", "'\\''")}'`;
  return `drydock profile approve --workspace ${typed} --number ${number}`;
}

function describeDecision({ number, status, workspace }: Profile): string {
  return `Profile ${number} of ${cleanLine(workspace)} is ${status}.\n`;
}
