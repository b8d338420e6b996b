import type { PruneReport } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { client } from "../../data/client.ts";
import { useIsOwner } from "../../data/use-is-owner.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

const DAY_MS = 86_400_000;

type Found = { report: PruneReport; keepArtifacts: boolean };

function useRemoval() {
  const queries = useQueryClient();
  const [found, setFound] = useState<Found | null>(null);
  const [done, setDone] = useState<PruneReport | null>(null);
  const [error, setError] = useState<unknown>(null);
  return {
    ...{ found, done, error },
    forget: () => setFound(null),
    async look(days: number, keepArtifacts: boolean) {
      setError(null);
      setDone(null);
      try {
        const before = new Date(Date.now() - days * DAY_MS).toISOString();
        setFound({ report: await client.prune({ before, keepArtifacts, dryRun: true }), keepArtifacts });
      } catch (thrown) {
        setError(thrown);
      }
    },
    async remove() {
      if (!found) return;
      const { report, keepArtifacts } = found;
      setDone(await client.prune({ before: report.before, keepArtifacts, dryRun: false }));
      setFound(null);
      await queries.invalidateQueries();
    },
  };
}

/** What is old may go: first it is said what that would be. */
export function RetentionSection() {
  const { t } = useWords();
  const { bytes, time } = useQuantities();
  const isOwner = useIsOwner();
  const { found, done, error, forget, look, remove } = useRemoval();
  const [isAsking, setAsking] = useState(false);
  const isNothing = found !== null && found.report.runs === 0 && found.report.environments === 0;
  return (
    <Section title={t("retention.title")}>
      <p className="mb-3 max-w-prose text-sm text-soft">{t("retention.text")}</p>
      <AgeForm isOwner={isOwner} onChange={forget} onLook={look} />
      {!isOwner && <p className="mt-2 text-soft text-xs">{t("owner.only")}</p>}
      <div role="status" className="mt-3 text-sm">
        {isNothing && <p>{t("retention.nothing")}</p>}
        {found && !isNothing && (
          <div className="flex flex-wrap items-center gap-3">
            <p>{t("retention.would", { ...countsOf(found.report), before: time(found.report.before) })}</p>
            <Button look="danger" onClick={() => setAsking(true)}>
              {t("retention.remove")}
            </Button>
          </div>
        )}
        {done && (
          <p className="text-good">{t("retention.done", { ...countsOf(done), size: bytes(done.freedBytes) })}</p>
        )}
      </div>
      {error !== null && <ErrorNote error={error} />}
      <Confirm
        title={t("retention.ask")}
        verb={t("retention.remove")}
        isDangerous
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        act={remove}
      >
        <p>{t("retention.askText")}</p>
        {found && <p>{t("retention.would", { ...countsOf(found.report), before: time(found.report.before) })}</p>}
      </Confirm>
    </Section>
  );
}

function countsOf({ runs, events, environments }: PruneReport) {
  return { runs, events, environments };
}

interface AgeProps {
  isOwner: boolean;
  onChange(): void;
  onLook(days: number, keepArtifacts: boolean): void;
}

function AgeForm({ isOwner, onChange, onLook }: AgeProps) {
  const { t } = useWords();
  const id = useId();
  const [days, setDays] = useState("30");
  const [keepArtifacts, setKeepArtifacts] = useState(false);
  const isAge = /^\d{1,5}$/.test(days);
  const change = (act: () => void) => {
    onChange();
    act();
  };
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <label htmlFor={id}>{t("retention.age")}</label>
      <input
        id={id}
        inputMode="numeric"
        value={days}
        disabled={!isOwner}
        aria-invalid={!isAge || undefined}
        onChange={({ target }) => change(() => setDays(target.value))}
        className="field w-20"
      />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={keepArtifacts}
          disabled={!isOwner}
          onChange={({ target }) => change(() => setKeepArtifacts(target.checked))}
          className="size-3.5 accent-(--accent)"
        />
        {t("retention.keep")}
      </label>
      <Button disabled={!isOwner || !isAge} onClick={() => onLook(Number(days), keepArtifacts)}>
        {t("retention.look")}
      </Button>
    </div>
  );
}
