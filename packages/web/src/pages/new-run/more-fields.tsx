import type { ReactNode } from "react";
import { Field } from "../../parts/field.tsx";
import { useWords } from "../../words/words.ts";
import type { FieldsProps } from "./new-run-page.tsx";
import type { RunDraft } from "./run-draft.ts";

/** How hard to try, and what it may cost. Only what the one who works can heed is shown. */
export function EffortFields({ draft, change, problemOf }: FieldsProps) {
  const { t } = useWords();
  const usesModel = draft.worker !== "repair";
  const usesRepair = !usesModel || draft.thenRepair;
  const input = numberInput({ draft, change, problemOf });
  return (
    <>
      {usesModel && (
        <div className="grid gap-4 sm:grid-cols-3">
          {input("bestOf", t("new.bestOf"), t("new.bestOfHint"))}
          {input("tokens", t("new.tokens"), t("new.noLimit"))}
          {input("usd", t("new.usd"), t("new.noLimit"))}
        </div>
      )}
      {usesModel && (
        <Choice isChosen={draft.thenRepair} onChange={(thenRepair) => change({ thenRepair })}>
          {t("new.thenRepair")}
        </Choice>
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        {usesRepair && input("repairSeconds", t("new.repairSeconds"), t("new.repairSecondsHint"))}
        {input("minStrength", t("new.minStrength"), t("new.minStrengthHint"))}
      </div>
      <Field label={t("new.mayChange")} hint={t("new.mayChangeHint")}>
        {(ids) => (
          <textarea
            {...ids}
            rows={2}
            value={draft.mayChange}
            placeholder="tests/**"
            spellCheck={false}
            onChange={({ target }) => change({ mayChange: target.value })}
            className="field font-mono"
          />
        )}
      </Field>
    </>
  );
}

/** What the request asks of the policy: less than it gives, or more, up to its ceiling. */
export function PolicyFields({ draft, change, problemOf }: FieldsProps) {
  const { t } = useWords();
  const input = numberInput({ draft, change, problemOf });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t("new.write")} hint={t("new.perLine")}>
        {(ids) => (
          <textarea
            {...ids}
            rows={2}
            value={draft.write}
            placeholder="src/**"
            spellCheck={false}
            onChange={({ target }) => change({ write: target.value })}
            className="field font-mono"
          />
        )}
      </Field>
      <Field label={t("new.hosts")} hint={t("new.hostsHint")}>
        {(ids) => (
          <textarea
            {...ids}
            rows={2}
            value={draft.hosts}
            placeholder="api.example.org:443"
            spellCheck={false}
            onChange={({ target }) => change({ hosts: target.value })}
            className="field font-mono"
          />
        )}
      </Field>
      {input("seconds", t("new.seconds"), t("new.asPolicy"))}
      {input("memory", t("new.memory"), t("new.asPolicy"))}
    </div>
  );
}

export function Choice(props: { isChosen: boolean; onChange(isChosen: boolean): void; children: ReactNode }) {
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={props.isChosen}
        onChange={({ target }) => props.onChange(target.checked)}
        className="mt-1 size-3.5 accent-(--accent)"
      />
      <span>{props.children}</span>
    </label>
  );
}

type NumberField = "bestOf" | "tokens" | "usd" | "repairSeconds" | "minStrength" | "seconds" | "memory";

function numberInput({ draft, change, problemOf }: FieldsProps) {
  return (name: NumberField, label: string, hint: string) => (
    <Field label={label} hint={hint} problem={problemOf(name)}>
      {(ids) => (
        <input
          {...ids}
          inputMode="decimal"
          value={draft[name]}
          onChange={({ target }) => change({ [name]: target.value } as Partial<RunDraft>)}
          className="field tabular"
        />
      )}
    </Field>
  );
}
