import { matchWildcard } from "./wildcard.ts";

export function describeEnvironmentPatternProblem(text: string): string | null {
  return /^[A-Za-z_*][A-Za-z0-9_*]*$/.test(text) ? null : "is not a variable name (letters, digits, _ and * only)";
}

export function coversEnvironment(ceiling: string, pattern: string): boolean {
  return matchWildcard(ceiling, pattern);
}

/** The variables that may go inside: those whose names are on the list, where `LC_*` stands for a family. */
export function pickEnvironment(
  allow: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const families = allow.filter((pattern) => pattern.includes("*"));
  const isOfFamily = (name: string) => families.some((pattern) => matchWildcard(pattern, name));
  // Each value of the real environment is looked up on access: only names that count are asked for.
  const names = families.length === 0 ? [] : Object.keys(env).filter(isOfFamily);
  const picked: [string, string][] = [];
  for (const name of [...allow.filter((pattern) => !pattern.includes("*")), ...names]) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined) picked.push([name, value]);
  }
  return Object.fromEntries(picked);
}
