import { hasEnded, type Run } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { diffQuery } from "../../../data/queries.ts";
import { Button } from "../../../parts/button.tsx";
import type { DiffSide } from "../../../parts/diff-line.tsx";
import { DiffView, type FileNotes } from "../../../parts/diff-view.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../../parts/notes.tsx";
import { useWords } from "../../../words/words.ts";
import type { RunFacts } from "../fold-facts.ts";
import { RunActions } from "../run-actions.tsx";
import { CommentBox } from "./comment-box.tsx";
import { ReviewSummary } from "./review-summary.tsx";
import { Rework } from "./rework.tsx";
import { type CommentPlace, isSamePlace, useComments } from "./use-comments.ts";

interface Props {
  run: Run;
  facts: RunFacts;
  onChanged(): Promise<void>;
}

/** A change before it is delivered: what it is, what speaks for it, and what is to become of it. */
export function RunReview({ run, facts, onChanged }: Props) {
  const { t } = useWords();
  const { data, error, refetch } = useQuery(diffQuery(run.id));
  const said = useComments(run.id);
  const [isAsking, setAsking] = useState(false);
  // Only a goal has an attempt after this one.
  const mayComment = run.kind === "goal" && hasEnded(run) && run.workspace !== null;
  const notes = useLineNotes(said);
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const isEmpty = data.trim() === "";
  return (
    <div className="flex flex-col gap-5">
      <ReviewSummary run={run} facts={facts} diff={data} />
      {isEmpty ? (
        <EmptyNote title={t("diff.none")}>{t("diff.noneText")}</EmptyNote>
      ) : (
        <>
          {mayComment && <p className="text-soft text-xs">{t("comment.hint")}</p>}
          <DiffView diff={data} notes={mayComment ? notes : null} />
        </>
      )}
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-2 border-line border-t bg-page px-4 py-3 empty:hidden md:mx-0 md:px-0">
        <RunActions run={run} facts={facts} onChanged={onChanged} only={["apply", "discard"]} />
        {mayComment && (
          <Button onClick={() => setAsking(true)}>
            <Icon name="chat" />
            {said.comments.length === 0 ? t("rework.verb") : t("rework.verbCount", { count: said.comments.length })}
          </Button>
        )}
      </div>
      {mayComment && (
        <Rework run={run} created={facts.created} said={said} isOpen={isAsking} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

function useLineNotes({ comments, say }: ReturnType<typeof useComments>): FileNotes {
  const { t } = useWords();
  const [open, setOpen] = useState<CommentPlace | null>(null);
  const box = (place: CommentPlace) => {
    const comment = comments.find((each) => isSamePlace(each, place));
    const isOpen = open !== null && isSamePlace(open, place);
    if (!comment && !isOpen) return null;
    const { path, line, side } = place;
    const name = side === "before" ? "comment.placeBefore" : "comment.place";
    return (
      <CommentBox
        place={line === undefined ? path : t(name, { path, line })}
        text={comment?.text ?? ""}
        isOpen={isOpen}
        onOpen={() => setOpen(place)}
        onSay={(text) => say(place, text)}
        onClose={() => setOpen(null)}
      />
    );
  };
  return {
    label: (line, side) => t(side === "before" ? "comment.lineBefore" : "comment.line", { line }),
    onPick: (path, line, side) => setOpen({ path, line, ...sideOf(side) }),
    below: (path, line, side) => box({ path, line, ...sideOf(side) }),
    action: (path) => (
      <Button look="quiet" className="h-6! px-2!" onClick={() => setOpen({ path })}>
        {t("comment.file")}
      </Button>
    ),
    belowHeader: (path) => box({ path }),
  };
}

function sideOf(side: DiffSide): { side?: "before" } {
  return side === "before" ? { side } : {};
}
