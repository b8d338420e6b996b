import type { Run } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Field } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";
import type { RunFacts } from "./fold-facts.ts";
import { DANGEROUS, DEED_ICONS, type Deed, type DeedChoices, doDeed, listDeeds } from "./run-deeds.ts";

interface ActionsProps {
  run: Run;
  facts: RunFacts;
  onChanged(): Promise<void>;
  /** Only these, or all but these. */
  only?: readonly Deed[];
  without?: readonly Deed[];
}

/** What can be done with the run. Each asks first, and says what will happen. */
export function RunActions({ run, facts, onChanged, only, without = [] }: ActionsProps) {
  const { t } = useWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [deed, setDeed] = useState<Deed | null>(null);
  const [choices, setChoices] = useState<DeedChoices>({});
  const act = async () => {
    if (deed === null) return;
    const other = await doDeed(deed, run, facts, choices);
    await onChanged();
    await queries.invalidateQueries();
    if (other !== null) await navigate({ to: "/runs/$id", params: { id: other } });
  };
  const deeds = listDeeds(run, facts).filter((each) => (only?.includes(each) ?? true) && !without.includes(each));
  return (
    <div className="flex flex-wrap gap-2">
      {deeds.map((each) => (
        <Button
          key={each}
          look={each === "apply" ? "primary" : each === "cancel" ? "danger" : "plain"}
          onClick={() => {
            setChoices({});
            setDeed(each);
          }}
        >
          {DEED_ICONS[each] && <Icon name={DEED_ICONS[each]} />}
          {t(`deed.${each}`)}
        </Button>
      ))}
      <Confirm
        title={deed === null ? "" : t(`deed.${deed}`)}
        verb={deed === null ? "" : t(`deed.${deed}`)}
        isDangerous={deed !== null && DANGEROUS.includes(deed)}
        isOpen={deed !== null}
        onClose={() => setDeed(null)}
        act={act}
      >
        {deed !== null && <p>{t(`deed.${deed}Text`)}</p>}
        {run.workspace !== null && <p className="font-mono text-xs wrap-anywhere">{run.workspace}</p>}
        {deed === "from" && <FromFields facts={facts} choices={choices} onChange={setChoices} />}
        {deed === "apply" && <Choices run={run} choices={choices} onChange={setChoices} />}
      </Confirm>
    </div>
  );
}

interface ChoicesProps {
  run: Run;
  choices: DeedChoices;
  onChange(choices: DeedChoices): void;
}

/** From which task on, and by which model. */
function FromFields({ facts, choices, onChange }: Omit<ChoicesProps, "run"> & { facts: RunFacts }) {
  const { t } = useWords();
  return (
    <>
      <Field label={t("from.task")} hint={t("from.taskHint")}>
        {(ids) => (
          <select
            {...ids}
            value={choices.task ?? facts.plan?.tasks[0]?.id}
            onChange={({ target }) => onChange({ ...choices, task: target.value })}
            className="field text-ink"
          >
            {facts.plan?.tasks.map(({ id, title }) => (
              <option key={id} value={id}>
                {title || id}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t("new.modelName")} hint={t("from.modelHint")}>
        {(ids) => (
          <input
            {...ids}
            value={choices.model ?? ""}
            placeholder="anthropic/claude-sonnet-4-5"
            spellCheck={false}
            onChange={({ target }) => onChange({ ...choices, model: target.value })}
            className="field font-mono text-ink"
          />
        )}
      </Field>
    </>
  );
}

function Choices({ run, choices, onChange }: ChoicesProps) {
  const { t } = useWords();
  const rows = [...(run.verdict === "unproven" ? (["allowUnproven"] as const) : []), "allowAutorun"] as const;
  return rows.map((name) => (
    <label key={name} className="flex items-start gap-2 text-ink">
      <input
        type="checkbox"
        checked={choices[name] ?? false}
        onChange={({ target }) => onChange({ ...choices, [name]: target.checked })}
        className="mt-1 size-3.5 accent-(--accent)"
      />
      {t(`apply.${name}`)}
    </label>
  ));
}
