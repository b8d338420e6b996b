import type { HostSource, SourceTest } from "@drydock/protocol";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import type { Tone } from "../../parts/tone.ts";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { StateMark } from "./state-mark.tsx";

const TONES: Readonly<Record<HostSource["status"]["state"], Tone>> = {
  ...{ disabled: "calm", stopped: "warn", starting: "live", running: "good", failed: "bad" },
};

interface Props {
  source: HostSource;
  isOwner: boolean;
  onEdit(): void;
  onRemove(): void;
  onChanged(): Promise<unknown>;
}

/** A source with how it stands, and what can be done with it. */
export function SourceCard({ source, isOwner, onEdit, onRemove, onChanged }: Props) {
  const { t } = useWords();
  const { number, time } = useQuantities();
  const [error, setError] = useState<unknown>(null);
  const [trial, setTrial] = useState<SourceTest | null>(null);
  const { name, type, enabled, address, status } = source;
  const attempt = async (act: () => Promise<unknown>) => {
    setError(null);
    setTrial(null);
    try {
      await act();
      await onChanged();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const buttons = [
    { word: "source.try", act: () => attempt(async () => setTrial(await client.host.sources.test(name))) },
    { word: "agent.edit", act: onEdit },
    {
      word: enabled ? "setup.disable" : "setup.enable",
      act: () => attempt(() => client.host.sources.change(name, { enabled: !enabled })),
    },
    { word: "setup.remove", act: onRemove },
  ] as const;
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{name}</h2>
        <span className="text-soft text-xs">{type}</span>
        <StateMark tone={TONES[status.state]}>{t(`source.${status.state}`)}</StateMark>
        <div className="ml-auto flex flex-wrap gap-2">
          {buttons.map(({ word, act }) => (
            <Button
              key={word}
              look={word === "setup.remove" ? "quiet" : "plain"}
              disabled={!isOwner}
              aria-label={`${t(word)}: ${name}`}
              onClick={() => void act()}
            >
              {t(word)}
            </Button>
          ))}
        </div>
      </div>
      {address !== null && (
        <code className="font-mono text-xs wrap-anywhere">{`${window.location.origin}${address}`}</code>
      )}
      {status.problem !== null && (
        <p className="text-bad text-sm wrap-anywhere">
          {status.problem} {status.hint !== null && <span className="text-soft">{status.hint}</span>}
        </p>
      )}
      <p className="text-soft text-xs">
        {t("source.counts", { events: number(status.events), refused: number(status.refused) })}
        {status.lastEventAt !== null && ` · ${t("source.last", { time: time(status.lastEventAt) })}`}
        {status.lastOutcome !== null && ` · ${status.lastOutcome}`}
      </p>
      <div role="status" className="text-sm">
        {trial && (
          <p className={trial.ok ? "text-good" : "text-bad"}>
            {trial.detail} {trial.hint}
          </p>
        )}
      </div>
      {error !== null && <ErrorNote error={error} />}
    </li>
  );
}
