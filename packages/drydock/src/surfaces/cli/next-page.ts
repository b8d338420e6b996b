import { quoteArgument } from "./quote-argument.ts";

/** The line that tells how a list goes on: the same command, with the filters that were given. */
export function nextPage(
  command: string,
  filters: Record<string, string | number | undefined>,
  cursor: string,
): string {
  const words = Object.entries({ ...filters, cursor }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteArgument(String(value))],
  );
  return `more: ${command} ${words.join(" ")}\n`;
}
