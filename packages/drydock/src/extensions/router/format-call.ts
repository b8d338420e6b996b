import type { CommandAction, ParameterValue } from "@drydock/protocol";
import { type Values, writeValue } from "./fill-text.ts";
import { quoteWord } from "./split-words.ts";

/** The line that would do the same, for people to read, and to be typed again. */
export function formatCall(command: string, action: CommandAction, values: Values): string {
  const valuesOf = (name: string, repeat: boolean): ParameterValue[] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return [];
    return repeat && Array.isArray(value) ? value : [value];
  };
  const flags = action.flags.flatMap(({ name, type, repeat, default: usual }) =>
    valuesOf(name, repeat)
      .filter((value) => value !== usual)
      .map((value) => {
        if (type === "boolean") return value === true ? `--${name}` : `--no-${name}`;
        return `--${name}=${quoteWord(writeValue(value))}`;
      }),
  );
  const words = action.arguments.flatMap(({ name, repeat }) =>
    valuesOf(name, repeat).map((value) => quoteWord(writeValue(value))),
  );
  const end = words.some((word) => /^'?-/.test(word)) ? ["--"] : [];
  return [`/${command}`, action.name, ...flags, ...end, ...words].join(" ");
}
