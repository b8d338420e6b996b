import type { RunPython } from "../../../source/run-python.ts";

/** Code that a command line holds in quotes, and that the shell leaves as it is. */
const INLINE = /(\b(?:python[\d.]*|node)\s(?:[^'"|;&]*\s)?(?:-c|-e|--eval)\s*)(?:'([^']+)'|"([^"$`\\]+)")/g;

/** `npm test -w a` compares nothing. */
const RUNS_TESTS = /\b(npm|yarn|pnpm|bun|deno|node|go|cargo|mix|dotnet|make|swift|gradle|mvn)\s+(?:[\w-]+\s+)*-*test\b/;

/** What a command line itself expects, made wrong: comparisons of the shell, and assertions in code that it holds. */
export async function spoilCommand(
  line: string,
  runPython: RunPython,
): Promise<{ text: string; edits: number } | null> {
  const { spoilExpectations } = await import("../../../mutate/index.ts");
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
  const [shell] =
    edits > 0 || RUNS_TESTS.test(line)
      ? []
      : await spoilExpectations([{ path: "inline.sh", text: line }], { runPython });
  if (shell) return { text: shell.content, edits: shell.edits };
  return edits > 0 ? { text, edits } : null;
}
