import { DrydockError, explainIssues, ReviewComment } from "@drydock/protocol";
import * as z from "zod";
import type { GoalOptions } from "../api.ts";
import type { GoalRequest } from "../goal-request.ts";

const Comments = z.array(ReviewComment).min(1).max(200);

/** What a person asks for of the change of another run, checked: it goes on record, and from there into prompts. */
export function readComments({ comments, follow, byModel }: Pick<GoalOptions, "comments" | "follow" | "byModel">): {
  comments?: NonNullable<GoalRequest["follow"]>["comments"];
} {
  if (comments === undefined) return {};
  if (byModel) {
    const hint = "Put it into the goal, or let a person start the run: drydock run --follow RUN --comment TEXT.";
    throw new DrydockError("input.invalid", "Only a person may comment on a change.", hint);
  }
  if (follow === undefined) {
    const hint = "Name the run that they are about, as in: drydock run --follow last --comment 'calc.py:2: Use sum().'";
    throw new DrydockError("input.invalid", "There are comments, and no run that they are about.", hint);
  }
  const read = Comments.safeParse(comments);
  if (read.success) return { comments: read.data };
  const problems = explainIssues(read.error.issues, "comments");
  throw new DrydockError(
    "input.invalid",
    `The comments can't be read: ${problems.slice(0, 5).join("; ")}.`,
    "A comment is { path, line, side, text }; 200 at most.",
    { problems },
  );
}
