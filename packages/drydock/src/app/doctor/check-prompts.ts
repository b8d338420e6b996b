import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { countWord, type DoctorFinding } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import { loadPrompts } from "../../engine/index.ts";
import { loadTaskPrompts } from "../../tasks/index.ts";

const SUFFIX = ".liquid";

/** The owner's own templates of prompts. Null: there are none. Rejects for one that can't be read. */
export async function checkPrompts(home: string): Promise<DoctorFinding | null> {
  const directory = join(home, "prompts");
  const files = (await readdir(directory).catch(() => [])).filter((file) => file.endsWith(SUFFIX)).sort();
  if (files.length === 0) return null;
  const sets = [loadPrompts(directory), loadTaskPrompts(directory)];
  const known = sets.flatMap(({ hashes }) => Object.keys(hashes));
  const unknown = files.map((file) => file.slice(0, -SUFFIX.length)).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const meant = findNearestWord(unknown, known);
    const remedy = `${meant ? `Did you mean ${meant}${SUFFIX}? ` : ""}There are ${known.join(", ")}.`;
    const detail = `${join(directory, unknown + SUFFIX)} has no effect: there is no prompt of that name`;
    return { name: "prompts", state: "missing", detail, remedy };
  }
  for (const set of sets) await set.check();
  return {
    name: "prompts",
    state: "ok",
    detail: `${countWord(files.length, "template")} of your own: ${files.join(", ")}`,
  };
}
