import { EXIT_STATUS } from "@drydock/protocol";
import type { Command } from "commander";
import { useDock, useRecords } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import { renderExtension, renderExtensions, renderProblems } from "../../render/render-extensions.ts";
import { defineInstall } from "./ext-install.ts";

interface JsonFlag {
  json?: boolean;
}

const HELP = `
An extension is data: what its commands are, which tools and hosts they may use, and a document
that says how. Drydock runs them in the sandbox; nothing of an extension becomes a part of it.

Examples:
  $ drydock ext new my-tools
  $ drydock ext lint my-tools
  $ drydock ext add ./my-tools
  $ drydock do '/my-tools hello'
  $ drydock ext info my-tools
  $ drydock ext disable my-tools`;

export function defineCommand(program: Command, context: CommandContext): void {
  const ext = program
    .command("ext")
    .summary("extensions: new, lint, add, list, info, enable, disable, remove, update")
    .description("Extensions add commands that run in the sandbox.")
    .addHelpText("afterAll", HELP);
  defineAuthoring(ext, context);
  defineInstall(ext, context);
  defineViews(ext, context);
  defineSwitches(ext, context);
}

function defineAuthoring(ext: Command, context: CommandContext): void {
  const { terminal } = context;
  ext
    .command("new")
    .description("Creates a working example extension to start from.")
    .argument("<name>", "its id: lower-case words with . or - between them")
    .option("--dir <dir>", "make its folder in this directory", ".")
    .addOption(jsonOption())
    .action(async (name: string, { dir, json }: JsonFlag & { dir: string }) => {
      const directory = await useDock((dock) => dock.extensions.scaffold(name, { directory: dir }));
      const next = `Next: drydock ext lint ${directory}\n      drydock ext add ${directory}\n`;
      const text = `${terminal.outColors.green("✓")} ${directory}\n${next}`;
      terminal.out(json ? `${JSON.stringify({ directory })}\n` : text);
    });
  ext
    .command("lint")
    .description(
      "Checks an extension and lists all problems by file, line and field. Exit status 2 if it can't be installed.",
    )
    .argument("<dir>", "the extension's directory")
    .addOption(jsonOption())
    .action(async (directory: string, { json }: JsonFlag) => {
      const problems = await useRecords((dock) => dock.extensions.lint(directory));
      const ok = problems.every(({ severity }) => severity === "warning");
      if (!ok) context.status = EXIT_STATUS["extension.invalid"];
      const text = ok ? `${terminal.outColors.green("✓")} ${directory} is a valid extension.\n` : "";
      terminal.out(
        json ? `${JSON.stringify({ ok, problems })}\n` : `${renderProblems(problems, terminal.outColors)}${text}`,
      );
    });
}

function defineViews(ext: Command, { terminal }: CommandContext): void {
  ext
    .command("list")
    .description("Lists the extensions, with their state and commands.")
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      const all = await useRecords((dock) => dock.extensions.list());
      terminal.out(json ? `${JSON.stringify(all)}\n` : renderExtensions(all, terminal));
    });
  ext
    .command("info")
    .description("Shows one extension: state, permissions, commands, usage.")
    .argument("<id>", "the extension")
    .addOption(jsonOption())
    .action(async (id: string, { json }: JsonFlag) => {
      const one = await useRecords((dock) => dock.extensions.get(id));
      terminal.out(json ? `${JSON.stringify(one)}\n` : renderExtension(one, terminal.outColors));
    });
}

function defineSwitches(ext: Command, { terminal }: CommandContext): void {
  const describeChange = (id: string, what: string) => `${terminal.outColors.green("✓")} ${id} is ${what}.\n`;
  ext
    .command("enable")
    .description("Makes the commands of an extension available again.")
    .argument("<id>", "the extension")
    .addOption(jsonOption())
    .action(async (id: string, { json }: JsonFlag) => {
      const one = await useDock((dock) => dock.extensions.enable(id));
      terminal.out(json ? `${JSON.stringify(one)}\n` : describeChange(id, "enabled"));
    });
  ext
    .command("disable")
    .description("Makes the commands of an extension unavailable. It stays installed.")
    .argument("<id>", "the extension")
    .addOption(jsonOption())
    .action(async (id: string, { json }: JsonFlag) => {
      const one = await useDock((dock) => dock.extensions.disable(id));
      terminal.out(json ? `${JSON.stringify(one)}\n` : describeChange(id, "disabled"));
    });
  ext
    .command("remove")
    .description("Removes an extension, with its files and those of its work directories.")
    .argument("<id>", "the extension")
    .addOption(jsonOption())
    .action(async (id: string, { json }: JsonFlag) => {
      await useDock((dock) => dock.extensions.remove(id));
      terminal.out(json ? `${JSON.stringify({ id, removed: true })}\n` : describeChange(id, "removed"));
    });
}
