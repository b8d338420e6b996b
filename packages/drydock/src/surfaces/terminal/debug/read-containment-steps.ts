import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BackendFacts, KERNEL_DIRECTORY } from "../../../sandbox/index.ts";

/**
 * The steps that the code's process has walked before it read a request, by their names: the first that fails ends it,
 * so whatever ran has walked them all. They are read from the program that walks them.
 */
export async function readContainmentSteps({ steps }: BackendFacts): Promise<string[]> {
  if (steps === null) return [];
  const text = await readFile(join(KERNEL_DIRECTORY, steps.file), "utf8").catch(() => "");
  const [, body = ""] = new RegExp(`^${steps.list} = [^\\n]*\\(\\n([\\s\\S]*?)^\\)`, "m").exec(text) ?? [];
  return [...body.matchAll(/^\s+\("([^"]+)",/gm)].map(([, name = ""]) => name);
}
