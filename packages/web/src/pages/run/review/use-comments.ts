import { ReviewComment } from "@drydock/protocol";
import { useState } from "react";

export type CommentPlace = Omit<ReviewComment, "text">;

/** The comments on a run's change that nobody got yet: they outlive a reload of this tab, and no more. */
export function useComments(runId: string) {
  const stored = `drydock.comments.${runId}`;
  const [comments, setComments] = useState<readonly ReviewComment[]>(() =>
    readComments(sessionStorage.getItem(stored)),
  );
  const keep = (next: readonly ReviewComment[]) => {
    setComments(next);
    if (next.length === 0) sessionStorage.removeItem(stored);
    else sessionStorage.setItem(stored, JSON.stringify(next));
  };
  return {
    comments,
    /** One comment for each place: another one there takes its place, and no words take it away. */
    say(place: CommentPlace, text: string) {
      const others = comments.filter((comment) => !isSamePlace(comment, place));
      keep(text.trim() === "" ? others : [...others, { ...place, text: text.trim() }]);
    },
    clear: () => keep([]),
  };
}

export function isSamePlace(one: CommentPlace, other: CommentPlace): boolean {
  return one.path === other.path && one.line === other.line && (one.side ?? "after") === (other.side ?? "after");
}

function readComments(text: string | null): ReviewComment[] {
  try {
    return ReviewComment.array().parse(JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}
