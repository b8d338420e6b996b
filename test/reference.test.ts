import { join } from "node:path";
import { OPERATIONS, type Operation } from "@drydock/protocol/http";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { COMMANDS } from "../packages/drydock/src/surfaces/cli/commands/index.ts";
import { createProgram } from "../packages/drydock/src/surfaces/cli/create-program.ts";
import { captureTerminal } from "../packages/drydock/src/surfaces/cli/testing/capture-terminal.ts";

/*
 * The pages of docs/reference are made from the definitions of the commands and of the operations. `npm run reference`
 * writes them again; here they are compared.
 */
const directory = join(import.meta.dirname, "../docs/reference");
const NOTE = "This page is made from the code: `npm run reference` writes it again.";

function listCommands(command: Command): Command[] {
  const children = command.commands.filter((child) => child.name() !== "help");
  return children.length === 0 ? [command] : children.flatMap(listCommands);
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function writeCommand(command: Command): string {
  const help = command.createHelp();
  const rows = [
    ...help.visibleArguments(command).map((each) => [help.argumentTerm(each), help.argumentDescription(each)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== "--help")
      .map((each) => [help.optionTerm(each), help.optionDescription(each)]),
  ];
  const name = nameOf(command);
  return [
    `## ${name}`,
    command.description(),
    `\`${name} ${command.usage()}\``.trim(),
    ["| | |", "|---|---|", ...rows.map((row) => `| ${row.map(writeCell).join(" | ")} |`)].join("\n"),
  ].join("\n\n");
}

/** The first cell is code. */
function writeCell(text: string, at: number): string {
  const safe = text.replaceAll("|", "\\|");
  return at === 0 ? `\`${safe}\`` : safe;
}

function writeOperation(operation: Operation): string {
  const { method, path, scope, client, summary } = operation;
  const cells = [`\`${method.toUpperCase()} ${path}\``, scope ?? "", client === null ? "" : `\`${client}\``, summary];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

it("the page of commands is that of the command line", async () => {
  const { terminal } = captureTerminal();
  const program = createProgram("0.0.0", terminal);
  for (const { defineCommand } of COMMANDS) {
    defineCommand(program, { terminal, trailing: null, status: 0, early: null });
  }
  const intro = `# Commands\n\n${NOTE} \`--help\` shows the same with examples.`;
  const sections = program.commands
    .filter((each) => each.name() !== "help")
    .flatMap(listCommands)
    .map(writeCommand);
  await expect(`${[intro, ...sections].join("\n\n")}\n`).toMatchFileSnapshot(join(directory, "commands.md"));
});

it("the page of operations is that of the HTTP interface", async () => {
  const intro = `# HTTP operations\n\n${NOTE} [The guide](../guides/http.md) explains them; \`GET /openapi.json\` has every field.
The third column is the method of the [client](../guides/http.md#from-a-program).`;
  const groups = Map.groupBy(Object.values<Operation>(OPERATIONS), ({ tag }) => tag);
  const sections = [...groups].map(([tag, operations]) =>
    [`## ${tag}\n`, "| operation | scope | client | |", "|---|---|---|---|", ...operations.map(writeOperation)].join(
      "\n",
    ),
  );
  await expect(`${[intro, ...sections].join("\n\n")}\n`).toMatchFileSnapshot(join(directory, "http.md"));
});
