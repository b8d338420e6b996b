import type { Run } from "@drydock/protocol";
import { describeCommentPlace } from "@drydock/protocol";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../data/client.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Field } from "../../../parts/field.tsx";
import { useWords } from "../../../words/words.ts";
import { requestRework } from "./rework-request.ts";
import type { useComments } from "./use-comments.ts";

interface Props {
  run: Run;
  created: Readonly<Record<string, unknown>>;
  said: ReturnType<typeof useComments>;
  isOpen: boolean;
  onClose(): void;
}

/** Asks once more, with all that the next attempt will read, and starts it. */
export function Rework({ run, created, said, isOpen, onClose }: Props) {
  const { t } = useWords();
  const navigate = useNavigate();
  const [goal, setGoal] = useState("");
  const { comments } = said;
  const act = async () => {
    const { id } = await client.runs.create(requestRework(run, created, { comments, goal }));
    said.clear();
    await navigate({ to: "/runs/$id", params: { id }, search: {} });
  };
  return (
    <Confirm title={t("rework.title")} verb={t("rework.start")} isOpen={isOpen} onClose={onClose} act={act}>
      <p>{t("rework.text")}</p>
      {comments.length > 0 && (
        <ul className="flex max-h-60 flex-col gap-2 overflow-y-auto rounded-lg border border-line bg-sunken p-3">
          {comments.map((comment) => (
            <li key={describeCommentPlace(comment)} className="text-ink">
              <code className="block font-mono text-soft text-xs wrap-anywhere">{describeCommentPlace(comment)}</code>
              <span className="wrap-anywhere whitespace-pre-wrap">{comment.text}</span>
            </li>
          ))}
        </ul>
      )}
      <Field label={t("rework.goal")} hint={t("rework.goalHint")}>
        {(ids) => (
          <textarea
            {...ids}
            rows={2}
            maxLength={20_000}
            value={goal}
            placeholder={run.title}
            onChange={({ target }) => setGoal(target.value)}
            className="field text-ink"
          />
        )}
      </Field>
    </Confirm>
  );
}
