/** One option of a command, as data. The quick reader, commander's options, the help and the completion are made from it. */
export interface Flag {
  /** One letter, as in `-c`. */
  short?: string;
  /** What the help calls its value. A flag without it takes no value. */
  value?: string;
  /** How the text of the value is read. Default: it stays text. */
  reads?: keyof typeof READERS;
  /** The only values that it takes. */
  choices?: readonly string[];
  help: string;
}

/** By the long name, in the order of the help. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** The parsed flags of a command, with their values. */
export type FlagsOf<Table extends FlagTable> = { -readonly [Name in keyof Table]?: ValueOf<Table[Name]> };

type ValueOf<F extends Flag> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { reads: infer Reader extends keyof typeof READERS }
    ? NonNullable<ReturnType<(typeof READERS)[Reader]["read"]>>
    : F extends { value: string }
      ? string
      : boolean;

/** `read` returns undefined for a text that is no such value; `before` is what the same flag had earlier on the line. */
export const READERS = {
  positive: { read: (text: string) => readPositive(text), problem: "It must be a number above 0.", collects: false },
  hosts: {
    read: (text: string, before: string[] = []): string[] | undefined => [...before, ...readList(text)],
    problem: "It must be HOST:PORT, separated by commas.",
    collects: true,
  },
  names: {
    read: (text: string, before: string[] = []): string[] | undefined => [...before, ...readList(text)],
    problem: "It must be names, separated by commas.",
    collects: true,
  },
} as const;

/** Undefined where the text is no number above 0. */
export function readPositive(text: string): number | undefined {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** What stands between the commas. */
export function readList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
