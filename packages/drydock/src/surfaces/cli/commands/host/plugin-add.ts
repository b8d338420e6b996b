import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import type { PluginPlan } from "../../../../app/index.ts";
import { askYesNo, canAsk } from "../../../terminal/ask-yes-no.ts";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";

interface AddFlags {
  yes?: boolean;
  sha256?: string;
  json?: boolean;
}

export function defineAdd(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("add")
    .description("Shows what a plugin asks for, and installs it if you agree, in place of an earlier version.")
    .argument("<source>", "a directory, a .tgz, .tar.gz, .tar or .zip file, or an npm package in a node_modules folder")
    .option("--yes", "agree to what it asks for")
    .option("--sha256 <hash>", "install it only if this is its hash")
    .addOption(jsonOption())
    .action(async (source: string, { yes, sha256, json }: AddFlags) => {
      using interrupts = watchInterrupts();
      const { signal } = interrupts;
      const approve = async (plan: PluginPlan) => {
        if (yes && json) return true;
        // A program reads stdout; what people are shown goes beside it.
        (json ? terminal.err : terminal.out)(renderPlan(plan));
        if (yes) return true;
        if (!canAsk()) throw consentError(plan);
        await terminal.flush();
        return askYesNo({ text: plan.installed === null ? "Install it?" : "Replace it?", signal });
      };
      const added = await useDock((dock) => dock.host.plugins.add(source, { approve, sha256 }));
      terminal.out(json ? `${JSON.stringify(added)}\n` : `${added.id} ${added.version} is installed.\n`);
    });
}

function renderPlan({ plugin, sha256, installed, runners, warnings }: PluginPlan): string {
  const { id, version, description, sandbox } = plugin;
  const list = (names: readonly string[]) => names.map(cleanLine).join(", ") || "none";
  const lines = [
    `${id} ${version}${installed === null ? "" : ` (installed: ${installed})`}`,
    ...(description ? [`  ${cleanLine(description)}`] : []),
    `  SHA-256:   ${sha256}`,
    `  hosts:     ${list(sandbox.hosts)}`,
    `  variables: ${list(sandbox.environment)}`,
    ...runners.map(
      ({ manifest }) => `  runner:    ${manifest.id} asks for ${describePermissions(manifest.permissions)}`,
    ),
    ...warnings.map((warning) => `  ! ${cleanLine(warning)}`),
    "Your policy decides which hosts and variables it gets, and each agent what its runs may use.",
  ];
  return `${lines.join("\n")}\n`;
}

function describePermissions(permissions: Record<string, readonly string[]>): string {
  const requests = Object.entries(permissions).flatMap(([kind, operations]) =>
    operations.length > 0 ? [`${kind} (${operations.join(", ")})`] : [],
  );
  return requests.join(", ") || "nothing";
}

function consentError({ plugin: { id } }: PluginPlan): DrydockError {
  return new DrydockError(
    "policy.approval_denied",
    `The plugin ${id} needs your consent, and there is no terminal to ask on. Nothing was installed.`,
    "Read what it asks for, and agree in advance with --yes.",
    { plugin: id },
  );
}
