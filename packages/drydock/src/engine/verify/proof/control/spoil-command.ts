import type { RunPython } from "../../../source/run-python.ts";
import { applySplices } from "../../../source/splice.ts";
import type { SpoiltCommand } from "./try-rounds.ts";

/** Code that a command line holds in quotes, and that the shell leaves as it is. */
const INLINE = /(\b(?:python[\d.]*|node)\s(?:[^'"|;&]*\s)?(?:-c|-e|--eval)\s*)(?:'([^']+)'|"([^"$`\\]+)")/g;

/** `npm test -w a` compares nothing. */
const RUNS_TESTS = /\b(npm|yarn|pnpm|bun|deno|node|go|cargo|mix|dotnet|make|swift|gradle|mvn)\s+(?:[\w-]+\s+)*-*test\b/;

/** What a command line itself expects, made wrong: comparisons of the shell, and assertions in code that it holds. */
export async function spoilCommand(line: string, runPython: RunPython): Promise<SpoiltCommand | null> {
  const { findExpectations, spoilExpectations, spoilFile } = await import("../../../mutate/index.ts");
  let text = line;
  let edits = 0;
  for (const [whole, start = "", single, double] of line.matchAll(INLINE)) {
    const [code, mark] = single === undefined ? [double ?? "", '"'] : [single, "'"];
    const path = /\bnode\b/.test(start) ? "inline.js" : "inline.py";
    const [spoilt] = await spoilExpectations([{ path, text: code }], { runPython });
    if (!spoilt || spoilt.content.includes(mark)) continue;
    text = text.replace(whole, () => `${start}${mark}${spoilt.content}${mark}`);
    edits += spoilt.edits;
  }
  if (edits > 0) return { text, edits, same: null };
  const [shell] = RUNS_TESTS.test(line)
    ? []
    : await findExpectations([{ path: "inline.sh", text: line }], { runPython });
  if (!shell) return null;
  const spoilt = spoilFile(
    shell,
    shell.expectations.filter(({ isAlone }) => !isAlone),
  );
  const same = applySplices(line, shell.same ?? []);
  return { text: spoilt.content, edits: spoilt.edits, same: same === line ? null : same };
}
