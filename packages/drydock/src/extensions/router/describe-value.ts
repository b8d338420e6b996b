import { showText } from "./refuse-input.ts";

const SHOWN_KEYS = 12;

/** What a JSON value is, in words: for messages that say what is there instead. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object") return describeKeys(Object.keys(value));
  if (typeof value === "string") return `the text ${JSON.stringify(showText(value))}`;
  return String(value);
}

function describeKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "an empty object";
  const shown = keys.slice(0, SHOWN_KEYS).map(showText).join(", ");
  return `an object with ${shown}${keys.length > SHOWN_KEYS ? `, … (${keys.length} in all)` : ""}`;
}
