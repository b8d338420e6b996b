import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useMemo } from "react";
import { newestRunsQuery } from "../../data/queries.ts";
import { Field } from "../../parts/field.tsx";
import { useWords } from "../../words/words.ts";
import type { FieldsProps } from "./new-run-page.tsx";
import { WORKERS } from "./run-draft.ts";

/** What is to be done, where, by whom, and what decides whether it was done. */
export function GoalFields({ draft, change, problemOf }: FieldsProps) {
  const { t } = useWords();
  return (
    <>
      {draft.follow !== "" && (
        <p className="rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-sm">
          {t("new.follows")}{" "}
          <Link to="/runs/$id" params={{ id: draft.follow }} className="font-mono text-accent text-xs hover:underline">
            {draft.follow}
          </Link>
        </p>
      )}
      <Field
        label={t("new.goal")}
        hint={draft.follow === "" ? t("new.goalHint") : t("new.goalFollowHint")}
        problem={problemOf("goal")}
      >
        {(ids) => (
          <textarea
            {...ids}
            // biome-ignore lint/a11y/noAutofocus: the page was opened to write this.
            autoFocus
            rows={3}
            maxLength={20_000}
            value={draft.goal}
            placeholder={t("new.goalExample")}
            onChange={({ target }) => change({ goal: target.value })}
            className="field text-base!"
          />
        )}
      </Field>
      <WorkspaceField draft={draft} change={change} problemOf={problemOf} />
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">{t("new.worker")}</legend>
        {WORKERS.map((worker) => (
          <label key={worker} className="flex items-start gap-2.5 text-sm">
            <input
              type="radio"
              name="worker"
              checked={draft.worker === worker}
              onChange={() => change({ worker })}
              className="mt-1 size-3.5 accent-(--accent)"
            />
            <span>
              {t(`new.${worker}`)}
              <span className="block text-soft text-xs">{t(`new.${worker}Text`)}</span>
            </span>
          </label>
        ))}
        {draft.worker === "model" && (
          <Field label={t("new.modelName")} problem={problemOf("model")} className="ml-6">
            {(ids) => (
              <input
                {...ids}
                value={draft.model}
                placeholder="anthropic/claude-sonnet-4-5"
                spellCheck={false}
                onChange={({ target }) => change({ model: target.value })}
                className="field font-mono"
              />
            )}
          </Field>
        )}
      </fieldset>
      <Field label={t("new.checks")} hint={t("new.checksHint")} problem={problemOf("checks")}>
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            value={draft.checks}
            placeholder="python3 -m unittest -q"
            spellCheck={false}
            onChange={({ target }) => change({ checks: target.value })}
            className="field font-mono"
          />
        )}
      </Field>
    </>
  );
}

/** Directories that goals worked on before are offered. */
function WorkspaceField({ draft, change, problemOf }: FieldsProps) {
  const { t } = useWords();
  const list = useId();
  const { data } = useQuery(newestRunsQuery({}));
  const known = useMemo(
    () => [...new Set(data?.runs.flatMap(({ workspace }) => workspace ?? []))].slice(0, 12),
    [data],
  );
  return (
    <Field label={t("new.workspace")} hint={t("new.workspaceHint")} problem={problemOf("workspace")}>
      {(ids) => (
        <>
          <input
            {...ids}
            list={list}
            value={draft.workspace}
            placeholder="/home/ada/calc"
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => change({ workspace: target.value })}
            className="field font-mono"
          />
          <datalist id={list}>
            {known.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
