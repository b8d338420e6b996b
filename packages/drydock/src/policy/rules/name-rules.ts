import { matchWildcard } from "./wildcard.ts";

export function describeNamePatternProblem(text: string): string | null {
  return /^[\w.@*-]+(\/[\w.@*-]+)*$/.test(text)
    ? null
    : "is not a name (letters, digits, . _ - @ * and / between parts)";
}

/** A name stands for all of its parts: `files` covers `files/read`. */
export function coversName(ceiling: string, pattern: string): boolean {
  return matchWildcard(ceiling, pattern) || matchWildcard(`${ceiling}/*`, pattern);
}

export function matchName(allow: readonly string[], name: string): boolean {
  return allow.some((entry) => coversName(entry, name));
}
