import type { Run } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";
import type { RunFacts } from "./fold-facts.ts";
import { type ApplyChoices, DANGEROUS, DEED_ICONS, type Deed, doDeed, listDeeds } from "./run-deeds.ts";

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
  const [choices, setChoices] = useState<ApplyChoices>({});
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
        {deed === "apply" && <Choices run={run} choices={choices} onChange={setChoices} />}
      </Confirm>
    </div>
  );
}

interface ChoicesProps {
  run: Run;
  choices: ApplyChoices;
  onChange(choices: ApplyChoices): void;
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
