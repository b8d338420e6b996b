import { refuseInput } from "./refuse-input.ts";

const MAX_DEPTH = 100;

/** Looks level by level, so that no nest is too deep to be looked at; what comes after may then recurse. */
export function refuseDepth(name: string, value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw refuseInput(`${name} is nested deeper than ${MAX_DEPTH} levels.`, "Make it flatter.");
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
}
