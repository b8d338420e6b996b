const MIB = 1024 * 1024;
export const MAX_SOURCE_BYTES = 2 * MIB;

const MAX_NAMED = 2;
const REASONS = {
  generated: ["generated", "Edits would be lost: put the original source in scope."],
  large: [`larger than ${MAX_SOURCE_BYTES / MIB} MB`, "Split them."],
  encoding: ["not in UTF-8", "A change would damage their text: convert them to UTF-8 first."],
} as const;

/** Files in scope that are not changed, by the reason. */
export type LeftAlone = Partial<Record<keyof typeof REASONS, readonly string[]>>;

/** Why these files are not changed, and what to do; null where there are none. */
export function describeLeftAlone(left: LeftAlone, whole: "All" | "Some"): string | null {
  const reasons = (Object.keys(REASONS) as (keyof typeof REASONS)[]).filter((reason) => left[reason]?.length);
  const sentences = reasons.map((reason) => {
    const [what, advice] = REASONS[reason];
    const head = reasons.length > 1 ? "Some" : whole;
    return `${head} files in scope are ${what} (${listNames(left[reason] ?? [])}). ${advice}`;
  });
  return sentences.length > 0 ? sentences.join(" ") : null;
}

function listNames(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).join(", ");
  return paths.length > MAX_NAMED ? `${names} and ${paths.length - MAX_NAMED} more` : names;
}
