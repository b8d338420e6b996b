import { expect, it } from "vitest";
import type { EngineContext } from "../engine-context.ts";
import { chooseBest } from "./choose-best.ts";
import type { TriedAttempt } from "./try-attempt.ts";

const diffOf = (...lines: string[]) =>
  ["diff --git a/q.sql b/q.sql", "--- a/q.sql", "+++ b/q.sql", "@@ -1,3 +1,3 @@", ...lines, ""].join("\n");

/** Which of the diffs is chosen, by its place. */
async function choose(...diffs: string[]): Promise<number | undefined> {
  const documents = { read: async (at: string) => diffs[Number(at)] } as unknown as EngineContext["documents"];
  const tried = diffs.map((_, at) => ({ attempt: at + 1, finished: { diff: String(at) }, verified: null }));
  const best = await chooseBest({ documents }, tried as unknown as TriedAttempt[]);
  return best && best.attempt - 1;
}

it("is the attempt that changes the fewest lines, and of those the first", async () => {
  const one = diffOf(" a", "-b", "+c");
  expect(await choose(diffOf("-a", "-b", "+c"), one, one)).toBe(1);
});

it("counts lines that look like the head of a diff", async () => {
  const comments = diffOf("--- a comment of SQL", "--- another one", "+++ this", " b");
  expect(await choose(comments, diffOf(" a", "-b", "+c"))).toBe(1);
});

it("counts the lines of every file", async () => {
  const one = diffOf(" a", "-b", "+c", " d");
  expect(await choose(one + one.replaceAll("q.sql", "r.sql"), diffOf(" a", "-b", "+c", "+d"))).toBe(1);
});
