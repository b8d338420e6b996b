/** What comes from outside is nested this deep at most: recursive functions, also those of libraries, run out of stack far above it. */
export const MAX_LEVELS = 200;

export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    const inside: unknown[] = [];
    for (const each of level)
      if (typeof each === "object" && each !== null)
        for (const child of Object.values(each)) if (typeof child === "object" && child !== null) inside.push(child);
    level = inside;
  }
  return false;
}
