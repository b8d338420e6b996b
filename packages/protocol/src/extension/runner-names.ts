/**
 * The runners that come with Drydock. `exec.<tool>` stands for all names that begin with `exec.`: the rest is the name of a
 * program. A name that begins with the first word of any of them belongs to Drydock, now or later.
 */
export const BUILT_IN_RUNNERS = [
  "exec.<tool>",
  "api.call",
  "python.script",
  "node.script",
  "browser.navigate",
  "analyze.response",
  "analyze.schema",
] as const;
export type BuiltInRunner = (typeof BUILT_IN_RUNNERS)[number];

/** The first words of their names: `exec`, `api`, … */
export const RUNNER_FAMILIES: readonly string[] = [...new Set(BUILT_IN_RUNNERS.map(familyOf))];

export function isReservedRunner(name: string): boolean {
  return RUNNER_FAMILIES.includes(familyOf(name));
}

function familyOf(name: string): string {
  return name.split(".", 1)[0] ?? "";
}
