import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import { type Flag, type FlagsOf, type FlagTable, READERS } from "./flag.ts";

/**
 * Reads the words of a plain, correct command line without the command-line library, which takes longer to load than a
 * short run. Null for anything else, help and mistakes included: the whole command line knows what to say to those.
 */
export function readFlags<T extends FlagTable>(
  table: T,
  words: readonly string[],
): { flags: FlagsOf<T>; positionals: string[] } | null {
  const rows: [string, Flag][] = Object.entries(table);
  const options = Object.fromEntries(rows.map(([name, flag]) => [name, describe(flag)]));
  let read: { values: Record<string, unknown>; positionals: string[] };
  try {
    read = parseArgs({ args: [...words], allowPositionals: true, options });
  } catch {
    return null;
  }
  const flags: Record<string, unknown> = {};
  for (const [name, flag] of rows) {
    const texts = read.values[name];
    if (texts === undefined) continue;
    const value = Array.isArray(texts) ? readTexts(flag, texts) : texts;
    if (value === undefined) return null;
    flags[name] = value;
  }
  return { flags: flags as FlagsOf<T>, positionals: read.positionals };
}

function describe({ short, value }: Flag): ParseArgsOptionDescriptor {
  const names = short === undefined ? {} : { short };
  return value === undefined ? { type: "boolean", ...names } : { type: "string", multiple: true, ...names };
}

/** Undefined where one of them is wrong. Of a flag that does not collect, the last one holds. */
function readTexts({ reads, choices }: Flag, texts: readonly string[]): unknown {
  if (choices && texts.some((text) => !choices.includes(text))) return undefined;
  if (reads === undefined) return texts.at(-1);
  const reader: { read(text: string, before?: never): unknown; collects: boolean } = READERS[reads];
  let value: unknown;
  for (const text of texts) {
    value = reader.read(text, (reader.collects ? value : undefined) as never);
    if (value === undefined) return undefined;
  }
  return value;
}
