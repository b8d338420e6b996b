import type { ChangeOptions } from "../judge-change.ts";
import type { CheckRecord } from "../records/base-record.ts";

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

/** Whether the command, or a program of the workspace that it runs, tries the examples of docstrings. */
export function runsExamples(check: ChangeOptions["check"], records: readonly CheckRecord[]): boolean {
  if (/\bdoctest\b/.test(check.cmd)) return true;
  return records.some(({ report }) => report?.modules.some(({ name, by }) => name === "doctest" && by !== null));
}

/** A docstring that is given another text when the module is loaded. */
const GIVEN = /\b__doc__\s*=(?!=)|\bsetattr\([^\n]{0,200}__doc__/;

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
  const isRun = runsExamples(check, await baseline.recordsOf(check));
  if (!isRun || /\bpytest\b/.test(check.cmd) || !context.tree.edit) return null;
  let tried = 0;
  for (const { path, kind } of baseline.changed) {
    if (kind !== "changed" || !/\.(py|md|rst|txt)$/.test(path)) continue;
    const text = (await context.tree.read(path))?.toString() ?? "";
    if (GIVEN.test(text) && !GIVEN.test((await baseline.before.read(path))?.toString() ?? ""))
      return `${path} gives a docstring another text when it is loaded: the examples that are run are not those that stand there.`;
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
