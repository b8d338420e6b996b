import type { Dock } from "../../app/index.ts";
import { findBegunWord } from "../../extensions/index.ts";
import { type Completable, completeLine } from "./complete.ts";

/** The same with the commands of extensions; without them if they can't be listed. */
export async function completeWithExtensions(
  line: string,
  own: Completable,
  { extensions }: Pick<Dock, "extensions">,
): Promise<[string[], string]> {
  const offered = completeLine(line, own);
  const [, name] = /^\s*\/(\S*)\s/.exec(line) ?? [];
  if (!/^\s*\//.test(line) || own.commands.some((command) => command.name === name)) return offered;
  const found = await extensions.complete(line).catch(() => []);
  const words = found.map(({ word }) => (word.endsWith("=") ? word : `${word} `));
  return [[...new Set([...(name === undefined ? offered[0] : []), ...words])], findBegunWord(line)];
}
