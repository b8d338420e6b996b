import type { HomePolicyText } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client, toError } from "../../data/client.ts";
import { homePolicyCheckQuery, homePolicyQuery } from "../../data/home-policy-queries.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { AskPolicy } from "./ask-policy.tsx";
import { CodeField } from "./code-field.tsx";
import { EXAMPLE_POLICY } from "./example-policy.ts";
import { PolicyRows } from "./policy-rows.tsx";
import { ProblemList } from "./problem-list.tsx";

const PAUSE_MS = 300;

interface Props {
  saved: HomePolicyText;
  /** Null while nothing was changed. */
  draft: string | null;
  onDraft(draft: string | null): void;
}

/** The owner's policy as a text. The server checks it while it is written; what is saved replaces only what was read. */
export function PolicyEditor({ saved, draft, onDraft }: Props) {
  const { t } = useWords();
  const { base, write, undo, save, isBusy, isDone, error } = useDraft({ saved, draft, onDraft });
  const text = draft ?? saved.text;
  const settled = useSettled(text);
  const { data: check, error: checkError } = useQuery(homePolicyCheckQuery(settled));
  const hasChangedThere = draft !== null && saved.sha256 !== base.sha256;
  const isChecked = settled === text && check !== undefined;
  const maySave = draft !== null && isChecked && check.ok && !isBusy && !hasChangedThere;
  const problems = check?.problems ?? [];
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-label={t("policy.file")} className="flex min-w-0 flex-col gap-3">
          <p className="font-mono text-soft text-xs wrap-anywhere">{saved.file}</p>
          {hasChangedThere && <ChangedThere onTake={undo} />}
          <CodeField
            label={t("policy.file")}
            value={text}
            problems={problems}
            describedBy="policy-state"
            onChange={write}
            onSave={() => maySave && save()}
          />
          {text.trim() === "" && (
            <p className="text-sm text-soft">
              {t("policy.empty")}{" "}
              <button type="button" className="text-accent underline" onClick={() => write(EXAMPLE_POLICY)}>
                {t("policy.example")}
              </button>
            </p>
          )}
          <div id="policy-state" role="status" className="text-sm">
            {!isChecked ? (
              <p className="text-soft">{t("policy.checking")}</p>
            ) : check.ok ? (
              <p className="flex items-center gap-2 text-good">
                <Icon name="check" />
                {t(isDone ? "policy.saved" : "policy.valid")}
              </p>
            ) : (
              <ProblemList problems={problems} />
            )}
          </div>
          {[checkError, error].map((each) => each !== null && <ErrorNote key={String(each)} error={each} />)}
          <div className="flex flex-wrap gap-2">
            <Button look="primary" disabled={!maySave} onClick={save}>
              {t("policy.save")}
            </Button>
            <Button disabled={draft === null} onClick={undo}>
              {t("policy.undo")}
            </Button>
          </div>
        </section>
        <AskPolicy text={draft !== null && check?.ok ? settled : null} />
      </div>
      {check?.ok && <PolicyRows rows={check.rows} />}
    </>
  );
}

function ChangedThere({ onTake }: { onTake(): void }) {
  const { t } = useWords();
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-warn bg-warn-tint p-3 text-sm"
    >
      <p className="min-w-0 flex-1">{t("policy.changedThere")}</p>
      <Button onClick={onTake}>{t("policy.takeTheirs")}</Button>
    </div>
  );
}

const IDLE = { isBusy: false, error: null as unknown, isDone: false };

/** What is being written, and what it began from: a file that changes meanwhile is not overwritten. */
function useDraft({ saved, draft, onDraft }: Props) {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(saved);
  const [state, setState] = useState(IDLE);
  const base = draft === null ? saved : begun;
  const save = async () => {
    setState({ ...IDLE, isBusy: true });
    try {
      const kept = await client.policies.saveHome({ text: draft ?? saved.text, replaces: base.sha256 });
      queries.setQueryData(homePolicyQuery.queryKey, kept);
      setState({ ...IDLE, isDone: true });
      onDraft(null);
    } catch (error) {
      setState({ ...IDLE, error });
      const { queryKey } = homePolicyQuery;
      if (toError(error).code === "policy.conflict") await queries.invalidateQueries({ queryKey });
    }
  };
  return {
    ...state,
    base,
    write(next: string) {
      if (draft === null) setBegun(saved);
      setState(IDLE);
      onDraft(next === base.text ? null : next);
    },
    undo() {
      setState(IDLE);
      onDraft(null);
    },
    save: () => void save(),
  };
}
/** A value that has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}
