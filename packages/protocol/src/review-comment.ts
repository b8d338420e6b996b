import * as z from "zod";

/** What a person asks for of one line, one file or the whole of a change. */
export const ReviewComment = z.strictObject({
  path: z.string().min(1).max(4096).describe("Path of the file, relative to the workspace."),
  line: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("Number of the line, from 1. Default: the comment is about the whole file."),
  side: z
    .enum(["after", "before"])
    .optional()
    .describe(
      "Whether `line` counts in the file with the change, or without it, as for a line that is gone. Default: after.",
    ),
  text: z.string().trim().min(1).max(10_000).describe("What is asked for, in the words that the next attempt gets."),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/** The place that a comment is about, as prompts and records name it. */
export function describeCommentPlace({
  path,
  line,
  side = "after",
}: Pick<ReviewComment, "path" | "line" | "side">): string {
  if (line === undefined) return path;
  return `${path}, line ${line}${side === "before" ? " of the file before the change" : ""}`;
}
