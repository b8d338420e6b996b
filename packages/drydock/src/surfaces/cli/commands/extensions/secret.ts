import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import { useDock, useRecords } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import { readSecret } from "../../read-secret.ts";

interface SecretFlags {
  json?: boolean;
}

const HELP = `
Secrets lie in secrets.json in Drydock's home, readable by you alone. An extension gets those that its permissions name,
for what its declaration says, and no record holds them. A value is never given as an argument: others could see it.

Examples:
  $ drydock secret set GITHUB_TOKEN
  $ pass show github | drydock secret set GITHUB_TOKEN
  $ drydock secret list
  $ drydock secret remove GITHUB_TOKEN`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  const secret = program
    .command("secret")
    .summary("passwords and keys for extensions: set, list, remove")
    .description("Secret values for extensions. They never appear in records.")
    .addHelpText("afterAll", HELP);
  secret
    .command("set")
    .description("Stores a secret. Its value is typed at a prompt, or read from standard input.")
    .argument("<name>", "letters, digits and _")
    // Commander's error would repeat a surplus argument, which may be the secret.
    .allowExcessArguments()
    .addOption(jsonOption())
    .action(async (name: string, { json }: SecretFlags, command: Command) => {
      if (command.args.length > 1 || name.includes("=")) throw misplacedValue();
      using interrupts = watchInterrupts();
      const value = await readSecret(name, process.stdin, interrupts.signal);
      await useDock((dock) => dock.extensions.secrets.set(name, value));
      terminal.out(json ? `${JSON.stringify({ name })}\n` : `${name} is set.\n`);
    });
  secret
    .command("list")
    .description("Lists the names of the secrets. Values are not shown.")
    .addOption(jsonOption())
    .action(async ({ json }: SecretFlags) => {
      const names = await useRecords((dock) => dock.extensions.secrets.list());
      const lines = names.length === 0 ? "No secrets.\n" : `${names.join("\n")}\n`;
      terminal.out(json ? `${JSON.stringify({ names })}\n` : lines);
    });
  secret
    .command("remove")
    .description("Removes a secret.")
    .argument("<name>", "the secret's name")
    .addOption(jsonOption())
    .action(async (name: string, { json }: SecretFlags) => {
      const removed = await useDock((dock) => dock.extensions.secrets.remove(name));
      const line = removed ? `${name} is removed.\n` : `There was no secret ${JSON.stringify(name)}.\n`;
      terminal.out(json ? `${JSON.stringify({ name, removed })}\n` : line);
    });
}

function misplacedValue(): DrydockError {
  return new DrydockError(
    "input.invalid",
    "The value was given as an argument. Nothing was stored.",
    "Give the name only; the value is asked for, or read from standard input. As an argument others may have seen it, and " +
      "your shell has kept it: replace it where it comes from.",
  );
}
