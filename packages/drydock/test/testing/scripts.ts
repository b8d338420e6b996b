import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes scripted models into a directory; each call gives the specification of one with these answers. */
export function createScripts(directory: string): (answers: readonly unknown[]) => string {
  let count = 0;
  return (answers) => {
    const path = join(directory, `script-${count++}.json`);
    writeFileSync(path, JSON.stringify({ answers }));
    return `scripted:${path}`;
  };
}
