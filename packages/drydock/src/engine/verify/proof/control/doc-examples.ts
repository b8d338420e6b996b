import type { ChangeOptions } from "../judge-change.ts";

/** How many examples are made wrong, each alone. */
const MOST_TRIED = 4;

/** An example in a docstring, without its indentation. */
interface Example {
  text: string;
  /** Where its last line of output stands, counted in lines; null where it shows none. */
  shown: number | null;
}

/** Each example with what it shows. */
export function listExamples(text: string): Example[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, at) => {
    if (!line.startsWith(">>>")) return [];
    const found = lines.findIndex((other, index) => index > at && (other === "" || /^(>>>|"""|''')/.test(other)));
    const end = found < 0 ? lines.length : found;
    const isShown = end - at > 1 && !(lines[end - 1] ?? "").startsWith("...");
    return [{ text: lines.slice(at, end).join("\n"), shown: isShown ? end - 1 : null }];
  });
}

/**
 * `python3 -m doctest` does not tell which examples it ran: a docstring that is none any more, or one that a decorator hides, is
 * passed over. What a few examples of the changed files show is made wrong, each alone, and the check must fail. Null: it does.
 */
export async function findUncheckedExample({
  check,
  baseline,
  context,
  judge,
}: Pick<ChangeOptions, "check" | "baseline" | "context" | "judge">): Promise<string | null> {
  if (!/\bdoctest\b/.test(check.cmd) || /\bpytest\b/.test(check.cmd) || !context.tree.edit) return null;
  let tried = 0;
  for (const { path, kind } of baseline.changed) {
    if (kind !== "changed" || !/\.(py|md|rst|txt)$/.test(path)) continue;
    const text = (await context.tree.read(path))?.toString() ?? "";
    for (const { text: example, shown } of listExamples(text)) {
      if (shown === null || tried >= MOST_TRIED) continue;
      tried += 1;
      const lines = text.split("\n");
      lines[shown] = `${lines[shown]}0`;
      const tree = await context.tree.edit([{ path, content: Buffer.from(lines.join("\n")) }]);
      const { verdict } = await judge(check, { ...context, tree });
      if (verdict === "passed")
        return `With what an example in ${path} shows made wrong (${example.split("\n")[0]}), the check still passes: it does not run that example.`;
    }
  }
  return null;
}
