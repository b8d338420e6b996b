import type { CommandAction } from "@drydock/protocol";
import { findRunnerKind } from "../runner-kinds.ts";
import { findNames } from "./fill-text.ts";

/**
 * Whether a value of this name may start with `-`: nowhere could a program take it for an option. Declared with `dash`, used
 * after a literal `--`, behind other text of its word, or not in a word at all.
 */
export function mayStartWithDash(action: CommandAction, name: string): boolean {
  const parameter = [...action.arguments, ...action.flags].find((each) => each.name === name);
  if (parameter?.dash) return true;
  const kind = findRunnerKind(action.runner);
  // Without words there is no command line, and a dash means nothing.
  if (kind && !kind.fields.includes("args")) return true;
  // The form without `args` is `--flag=value`, then `--`, then the arguments.
  if (action.args === undefined) return kind !== null;
  let isAfterEnd = false;
  for (const template of action.args) {
    if (template === "--") isAfterEnd = true;
    if (isAfterEnd) return true;
    if (startsWord(template, name)) return false;
  }
  return true;
}

function startsWord(template: NonNullable<CommandAction["args"]>[number], name: string): boolean {
  if (typeof template === "string") return leads(template, name);
  const own = "each" in template ? template.each : template.when;
  return template.words.some((word) => leads(word, name) || (own === name && leads(word, "value")));
}

/** The word begins with this value, or with others that may be empty, and then this one. */
function leads(word: string, name: string): boolean {
  const front = /^(?:\{\{[^{}]*\}\})*/.exec(word)?.[0] ?? "";
  return findNames(front).includes(name);
}
