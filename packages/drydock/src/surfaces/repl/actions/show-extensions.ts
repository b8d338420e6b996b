import type { InstalledExtension } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { ReplContext } from "../repl-context.ts";

/** The extensions there are, with their commands. */
export async function showExtensions({ dock, screen }: ReplContext): Promise<number> {
  const { outColors, columns } = screen.terminal;
  const rows = (await dock.extensions.list()).map(({ manifest, state, commands }) => [
    { text: manifest.id, paint: outColors.cyan },
    manifest.version,
    { text: state, paint: state === "enabled" ? outColors.green : outColors.yellow },
    cleanLine(commands.map(({ name }) => `/${name}`).join(" ")),
    cleanLine(manifest.description),
  ]);
  screen.say(
    rows.length === 0 ? "There are no extensions. drydock ext add installs one.\n" : renderTable(rows, { columns }),
  );
  return 0;
}

/** What the enabled ones add to the list of commands; empty where there are none. */
export function describeCommands(extensions: readonly InstalledExtension[], { screen }: ReplContext): string {
  const { outColors, columns } = screen.terminal;
  const commands = extensions.filter(({ state }) => state === "enabled").flatMap((extension) => extension.commands);
  const rows = commands
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description }) => [{ text: `  /${name}`, paint: outColors.cyan }, cleanLine(description)]);
  if (rows.length === 0) return "";
  return `\nOf extensions; /help COMMAND tells more, Tab completes:\n${renderTable(rows, { columns })}`;
}
