import { resolve } from "node:path";
import { countWord } from "@drydock/protocol";
import type { Command } from "commander";
import { cleanLine, cleanText } from "../../../terminal/clean-text.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
A skill is a folder with a SKILL.md, which begins with its name and description, and with files for it. An agent of the
host has none that was not granted to it. The tool activate gives an agent the instructions of one.

Examples:
  $ drydock skill add ./pdf-forms
  $ drydock skill list
  $ drydock agent edit helper --skill pdf-forms --tool activate --tool exec`;

export function defineCommand(program: Command, context: CommandContext): void {
  const skill = program
    .command("skill")
    .summary("skills that agents of the host can be granted")
    .description("Folders with instructions and files for agents of the host.")
    .addHelpText("afterAll", HELP);
  defineList(skill, context);
  defineShow(skill, context);
  defineAdd(skill, context);
  defineRemove(skill, context);
}

interface ListFlags extends RunFlags {
  workspace?: string;
}

function defineList(skill: Command, { terminal }: CommandContext): void {
  skill
    .command("list")
    .description("Lists the skills of the home and of extensions.")
    .option(
      "--workspace <directory>",
      "a directory whose .drydock/skills are listed as well, where the owner allows it",
    )
    .addOption(jsonOption())
    .action(async ({ json, workspace }: ListFlags) => {
      const where = workspace === undefined ? {} : { workspace: resolve(workspace) };
      const skills = await useDock((dock) => dock.skills.list(where));
      if (json) return terminal.out(`${JSON.stringify({ skills })}\n`);
      if (skills.length === 0) return terminal.out("No skills. `drydock skill add DIRECTORY` adds one.\n");
      const rows = skills.map(({ name, version, origin, sha256, description, problem }) => [
        ...[name, version ?? "-", origin, sha256.slice(0, 12) || "-"],
        cleanLine(problem === null ? description : `can't be used: ${problem}`),
      ]);
      const head = ["NAME", "VERSION", "FROM", "HASH", "DESCRIPTION"];
      terminal.out(renderTable([head, ...rows], { columns: terminal.columns }));
    });
}

function defineShow(skill: Command, { terminal }: CommandContext): void {
  skill
    .command("show")
    .description("Shows a skill with its instructions.")
    .argument("<name>", "the skill")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const found = await useDock((dock) => dock.skills.find(name));
      if (json) return terminal.out(`${JSON.stringify(found)}\n`);
      const { version, origin, sha256, description, files, bytes, problem, instructions } = found;
      terminal.out(`${name}\n  description: ${cleanLine(description)}\n  version:     ${version ?? "none"}\n`);
      terminal.out(`  from:        ${origin}\n  hash:        ${sha256}\n`);
      terminal.out(`  files:       ${countWord(files, "file", "files")}, ${bytes} bytes\n`);
      if (problem !== null) terminal.out(`  problem:     ${cleanLine(problem)}\n`);
      terminal.out(`\n${cleanText(instructions)}\n`);
    });
}

function defineAdd(skill: Command, { terminal }: CommandContext): void {
  skill
    .command("add")
    .description("Copies a folder into the home, and keeps the hash of its files.")
    .argument("<directory>", "the folder with a SKILL.md; its name is the skill's")
    .addOption(jsonOption())
    .action(async (directory: string, { json }: RunFlags) => {
      const added = await useDock((dock) => dock.skills.add(resolve(directory)));
      const next = `No agent has it yet: \`drydock agent edit NAME --skill ${added.name}\`.`;
      const hash = added.sha256.slice(0, 12);
      terminal.out(json ? `${JSON.stringify(added)}\n` : `The skill ${added.name} is added (${hash}). ${next}\n`);
    });
}

function defineRemove(skill: Command, { terminal }: CommandContext): void {
  skill
    .command("remove")
    .description("Removes a skill from the home. Boxes that are open keep their copy until they end.")
    .argument("<name>", "the skill")
    .addOption(jsonOption())
    .action(async (name: string, { json }: RunFlags) => {
      const { removed, agents } = await useDock(async (dock) => ({
        removed: await dock.skills.remove(name),
        agents: (await dock.host.agents.list()).filter(({ grants }) => grants.skills.includes(name)),
      }));
      const having = agents.map((agent) => agent.name).join(", ");
      const note = having === "" ? "" : ` It is still granted to ${having}: \`drydock agent edit NAME --grants JSON\`.`;
      terminal.out(json ? `${JSON.stringify(removed)}\n` : `The skill ${name} is removed.${note}\n`);
    });
}
