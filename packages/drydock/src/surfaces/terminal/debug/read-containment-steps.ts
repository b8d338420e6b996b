import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KERNEL_DIRECTORY } from "../../../sandbox/index.ts";

/**
 * The steps that the code's process has walked before it read a request, by their names: the first that fails ends it,
 * so whatever ran has walked them all. They are read from the program that walks them.
 */
export async function readContainmentSteps({ backend, level }: { backend: string; level: string }): Promise<string[]> {
  const [file, list] = findList(backend, level);
  const text = await readFile(join(KERNEL_DIRECTORY, file), "utf8").catch(() => "");
  const [, body = ""] = new RegExp(`^${list} = [^\\n]*\\(\\n([\\s\\S]*?)^\\)`, "m").exec(text) ?? [];
  return [...body.matchAll(/^\s+\("([^"]+)",/gm)].map(([, name = ""]) => name);
}

function findList(backend: string, level: string): [file: string, list: string] {
  if (backend === "unconfined") return ["contain/bare_steps.py", "UNCONFINED_CODE_STEPS"];
  return level === "landlock" ? ["contain/bare_steps.py", "LANDLOCK_CODE_STEPS"] : ["contain/steps.py", "CODE_STEPS"];
}
