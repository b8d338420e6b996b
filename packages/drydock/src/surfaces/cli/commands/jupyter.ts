import { resolve } from "node:path";
import { type Command, Option } from "commander";
import manifest from "../../../../package.json" with { type: "json" };
import { useDock } from "../../terminal/use-dock.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption } from "../flags/add-flags.ts";

interface PlaceFlags {
  user?: boolean;
  prefix?: string;
  name: string;
  json?: boolean;
}

interface InstallFlags extends PlaceFlags {
  workspace?: string;
  notebookDir?: boolean;
}

const HELP = `
Each cell runs in a sandbox session: a cell that fails, or is interrupted, leaves variables
and files as they were. Files of the workspace are never changed by a cell.

Examples:
  $ drydock jupyter install --notebook-dir
  $ jupyter nbconvert --execute --to notebook --ExecutePreprocessor.kernel_name=drydock report.ipynb
  $ drydock jupyter uninstall`;

export function defineCommand(program: Command, context: CommandContext): void {
  const jupyter = program
    .command("jupyter")
    .summary("a Jupyter kernel whose cells run in the sandbox: install, uninstall")
    .description("A Jupyter kernel whose cells run in the sandbox.")
    .addHelpText("afterAll", HELP);
  defineInstall(jupyter, context);
  defineUninstall(jupyter, context);
  defineKernel(jupyter);
}

function addPlaceFlags(command: Command): Command {
  return command
    .addOption(new Option("--user", "for this user (the default)").conflicts("prefix"))
    .option("--prefix <dir>", "below this directory: a virtual environment, or /usr/local for everybody")
    .option("--name <name>", "what Jupyter calls the kernel", "drydock")
    .addOption(jsonOption());
}

function defineInstall(jupyter: Command, { terminal }: CommandContext): void {
  addPlaceFlags(jupyter.command("install").description("Adds the kernel to Jupyter."))
    .option("--workspace <dir>", "the directory that cells see; without one, an empty scratch directory")
    .addOption(new Option("--notebook-dir", "cells see the directory of their notebook").conflicts("workspace"))
    .action(async ({ name, prefix, workspace, notebookDir, json }: InstallFlags) => {
      const { installKernel } = await import("../../jupyter/index.ts");
      const { readConfig } = await import("../../../app/index.ts");
      const { environment, home } = readConfig();
      const directory = await installKernel(
        { name, prefix, environment },
        {
          program: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
          workspace: notebookDir ? "." : workspace === undefined ? undefined : resolve(workspace),
          // A kernel for everybody takes each user's own home.
          home: environment.DRYDOCK_HOME ? home : undefined,
          version: manifest.version,
        },
      );
      terminal.out(json ? `${JSON.stringify({ name, directory })}\n` : `The kernel ${name} is in ${directory}.\n`);
    });
}

function defineUninstall(jupyter: Command, { terminal }: CommandContext): void {
  addPlaceFlags(jupyter.command("uninstall").description("Removes the kernel from Jupyter.")).action(
    async ({ name, prefix, json }: PlaceFlags) => {
      const { uninstallKernel } = await import("../../jupyter/index.ts");
      const { readConfig } = await import("../../../app/index.ts");
      const directory = await uninstallKernel({ name, prefix, environment: readConfig().environment });
      terminal.out(
        json ? `${JSON.stringify({ name, directory })}\n` : `The kernel ${name} was removed from ${directory}.\n`,
      );
    },
  );
}

function defineKernel(jupyter: Command): void {
  jupyter
    .command("kernel")
    .description("The kernel itself: Jupyter's messages as JSON, one a line. Jupyter starts it.")
    .option("--workspace <dir>", "the directory that cells see; without one, an empty scratch directory")
    .action(async ({ workspace }: { workspace?: string }) => {
      const { serveKernel } = await import("../../jupyter/index.ts");
      await useDock((dock) =>
        serveKernel(dock, {
          workspace: workspace === undefined ? undefined : resolve(workspace),
          version: manifest.version,
          input: process.stdin,
          write: (line) => process.stdout.write(line),
          onInterrupt: (interrupt) => process.on("SIGINT", interrupt),
        }),
      );
    });
}
