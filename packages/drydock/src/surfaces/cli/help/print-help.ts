import { Command } from "commander";
import { createProgram } from "../create-program.ts";

/** The commands as the help lists them. The build writes it: the commands themselves load half of Drydock. */
export interface HelpOutline {
  version: string;
  commands: { term: string; description: string }[];
}

/** What `drydock --help` prints, for lines of that many columns; undefined without a terminal. */
export function formatHelp(outline: HelpOutline, columns: number | undefined): string {
  let text = "";
  const print = (part: string) => {
    text += part;
  };
  const colors = { isColorSupported: false };
  const program = createProgram(outline.version, {
    out: print,
    err: print,
    columns,
    outColors: colors,
    errColors: colors,
  });
  const commands = outline.commands.map(({ term, description }) => new Command(term).summary(description));
  for (const command of commands) program.addCommand(command);
  program.configureHelp({ visibleCommands: () => commands, subcommandTerm: (command) => command.name() });
  program.outputHelp();
  return text;
}
