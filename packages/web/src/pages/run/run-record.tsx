import type { Run } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { auditQuery } from "../../data/queries.ts";
import { Button, buttonClass } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.ts";

/** What binds the run to the ledger, whether that is whole, and what can be taken along. */
export function RunRecord({ run }: { run: Run }) {
  const { t } = useWords();
  const { data, error, isFetching, refetch } = useQuery(auditQuery);
  const base = `/runs/${encodeURIComponent(run.id)}`;
  return (
    <div className="flex max-w-3xl flex-col gap-7">
      <Section title={t("record.chain")}>
        <p className="mb-3 text-sm text-soft">{t("record.chainText")}</p>
        <dl className="mb-3 grid gap-x-4 gap-y-1 text-xs sm:grid-cols-[9rem_1fr]">
          <dt className="text-soft">{t("record.events")}</dt>
          <dd className="tabular">{run.events}</dd>
          <dt className="text-soft">{t("record.head")}</dt>
          <dd className="font-mono break-all">{run.headHash}</dd>
        </dl>
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? t("record.checking") : t("record.verify")}
        </Button>
        <div role="status" className="mt-3 text-sm">
          {data?.ok && (
            <p className="flex items-center gap-2 text-good">
              <Icon name="check" />
              {t("record.whole", { runs: data.runs, events: data.events })}
            </p>
          )}
          {data && !data.ok && (
            <p className="flex items-center gap-2 text-bad">
              <Icon name="cross" />
              {t("record.broken")} {data.first?.problem}
            </p>
          )}
        </div>
        {error && <ErrorNote error={error} />}
      </Section>
      <Section title={t("record.take")}>
        <ul className="flex flex-wrap gap-2">
          {(
            [
              { word: "record.report", path: "report", name: `${run.id}.html` },
              { word: "record.junit", path: "report?format=junit", name: `${run.id}.xml` },
              { word: "record.sarif", path: "report?format=sarif", name: `${run.id}.sarif` },
              { word: "record.receipt", path: "receipt", name: `${run.id}.receipt.jsonl` },
            ] as const
          ).map(({ word, path, name }) => (
            <li key={path}>
              <a href={`${base}/${path}`} download={name} className={buttonClass()}>
                <Icon name="download" />
                {t(word)}
              </a>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
