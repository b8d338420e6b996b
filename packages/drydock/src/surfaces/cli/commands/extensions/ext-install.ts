import { DrydockError, type InstalledExtension, type InstallPlan } from "@drydock/protocol";
import type { Command } from "commander";
import type { Dock, InstallOptions } from "../../../../app/index.ts";
import { askYesNo, canAsk } from "../../../terminal/ask-yes-no.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import { renderPlan } from "../../render/render-extensions.ts";

interface InstallFlags {
  yes?: boolean;
  json?: boolean;
  from?: string;
}

/** What asks before it changes something: `add`, `update`. */
export function defineInstall(ext: Command, context: CommandContext): void {
  ext
    .command("add")
    .description("Shows what an extension may do, and installs it if you agree.")
    .argument("<source>", "a directory, a .tgz, .tar.gz, .tar or .zip file, or an npm package (NAME or NAME@VERSION)")
    .option("--yes", "agree to its permissions")
    .addOption(jsonOption())
    .action(async (source: string, flags: InstallFlags) => {
      const { outColors } = context.terminal;
      await install(
        context,
        flags,
        (dock, options) => dock.extensions.add(source, options),
        ({ manifest, commands }) => {
          const [first] = commands;
          const call = first ? ` Try: drydock do '/${first.name} --help'\n` : "";
          return `${outColors.green("✓")} ${manifest.id} ${manifest.version} is installed.${call || "\n"}`;
        },
      );
    });
  ext
    .command("update")
    .description("Installs an extension again from its source. Asks first if it needs more permissions than before.")
    .argument("<id>", "the extension")
    .option("--from <source>", "another source to install from")
    .option("--yes", "agree to its permissions")
    .addOption(jsonOption())
    .action(async (id: string, flags: InstallFlags) => {
      const { outColors } = context.terminal;
      const source = flags.from;
      await install(
        context,
        flags,
        (dock, options) => dock.extensions.update(id, { ...options, source }),
        (updated) => {
          const { version } = updated.manifest;
          return `${outColors.green("✓")} ${id} ${version} is installed${updated.state === "disabled" ? " (disabled)" : ""}.\n`;
        },
      );
    });
}

async function install(
  { terminal }: CommandContext,
  { yes, json }: InstallFlags,
  act: (dock: Dock, options: InstallOptions) => Promise<InstalledExtension>,
  render: (installed: InstalledExtension) => string,
): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  // A program reads stdout; what people are shown goes beside it.
  const show = (plan: InstallPlan) =>
    json ? terminal.err(renderPlan(plan, terminal.errColors)) : terminal.out(renderPlan(plan, terminal.outColors));
  const approve = async (plan: InstallPlan) => {
    if (yes && json) return true;
    show(plan);
    if (yes) return true;
    if (!canAsk()) throw approvalError(plan);
    await terminal.flush();
    return askYesNo({ text: plan.installed ? "Update it?" : "Install it?", signal });
  };
  const onProgress = (message: string) => terminal.err(`${message} …\n`);
  const installed = await useDock((dock) => act(dock, { approve, signal, onProgress }));
  terminal.out(json ? `${JSON.stringify(installed)}\n` : render(installed));
}

function approvalError({ extension: { manifest } }: InstallPlan): DrydockError {
  return new DrydockError(
    "policy.approval_denied",
    `The extension ${manifest.id} needs your consent to its permissions, and there is no terminal to ask on. Nothing was installed.`,
    "Read its permissions, and approve them in advance with --yes.",
    { extension: manifest.id },
  );
}
