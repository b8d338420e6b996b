import type { IngestReport, KnowledgeBase, KnowledgeResult } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../data/client.ts";
import { knowledgeBaseQuery } from "../../data/setup-queries.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { IngestNote } from "./ingest-note.tsx";
import { StateMark } from "./state-mark.tsx";

interface Props {
  base: KnowledgeBase;
  isOwner: boolean;
  onAdd(): void;
  onRemove(): void;
  onChanged(): Promise<unknown>;
}

/** A knowledge base: what is in it, and a search to try it. */
export function KnowledgeCard({ base, isOwner, onAdd, onRemove, onChanged }: Props) {
  const { t } = useWords();
  const { time } = useQuantities();
  const [isOpen, setOpen] = useState(false);
  const [report, setReport] = useState<IngestReport | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { name, documents, chunks, failed, embedding, changedAt } = base;
  const refresh = async () => {
    setError(null);
    try {
      setReport(await client.knowledge.refresh(name));
      await onChanged();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{name}</h2>
        {failed > 0 && <StateMark tone="warn">{t("knowledge.failed", { count: failed })}</StateMark>}
        <div className="ml-auto flex flex-wrap gap-2">
          <Button aria-label={`${t("knowledge.refresh")}: ${name}`} onClick={refresh}>
            {t("knowledge.refresh")}
          </Button>
          <Button disabled={!isOwner} aria-label={`${t("knowledge.add")}: ${name}`} onClick={onAdd}>
            {t("knowledge.add")}
          </Button>
          <Button look="quiet" disabled={!isOwner} aria-label={`${t("setup.remove")}: ${name}`} onClick={onRemove}>
            {t("setup.remove")}
          </Button>
        </div>
      </div>
      <p className="text-soft text-xs">
        {t("knowledge.counts", { documents, chunks })} · {embedding ?? t("knowledge.words")} · {time(changedAt)}
      </p>
      {report && <IngestNote report={report} />}
      {error !== null && <ErrorNote error={error} />}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="text-soft text-xs hover:text-ink">
          {t("knowledge.look")}
          <span className="sr-only">: {name}</span>
        </summary>
        {isOpen && (
          <div className="mt-3 grid gap-4 md:grid-cols-2">
            <Documents name={name} />
            <TrySearch name={name} />
          </div>
        )}
      </details>
    </li>
  );
}

function Documents({ name }: { name: string }) {
  const { t } = useWords();
  const { bytes } = useQuantities();
  const { data, error } = useQuery(knowledgeBaseQuery(name));
  if (error) return <ErrorNote error={error} />;
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium text-sm">{t("knowledge.documents")}</h3>
      <ul className="max-h-72 overflow-y-auto text-xs">
        {data?.items.map(({ source, bytes: size, problem }) => (
          <li key={source} className="border-line border-t py-1">
            <div className="flex gap-3">
              <span className="min-w-0 wrap-anywhere">{source}</span>
              <span className="tabular ml-auto shrink-0 text-soft">{bytes(size)}</span>
            </div>
            {problem && <p className="text-bad wrap-anywhere">{problem.message}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function TrySearch({ name }: { name: string }) {
  const { t } = useWords();
  const [query, setQuery] = useState("");
  const [result, setResult] = useState<KnowledgeResult | null>(null);
  const [error, setError] = useState<unknown>(null);
  const search = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    try {
      setResult(await client.knowledge.search(name, { query }));
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div className="min-w-0">
      <form onSubmit={search} className="flex gap-2">
        <input
          type="search"
          required
          aria-label={`${t("knowledge.query")}: ${name}`}
          placeholder={t("knowledge.query")}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          className="field min-w-0 flex-1"
        />
        <Button type="submit">{t("knowledge.search")}</Button>
      </form>
      {error !== null && <ErrorNote error={error} />}
      <div role="status" className="mt-2">
        {result?.hits.length === 0 && <p className="text-soft text-xs">{t("knowledge.nothing")}</p>}
        <ol className="flex max-h-72 flex-col gap-2 overflow-y-auto text-xs">
          {result?.hits.map(({ source, position, snippet }) => (
            <li key={`${source} ${position.start}`} className="rounded-lg bg-sunken p-2">
              <p className="font-medium wrap-anywhere">{source}</p>
              <p className="text-soft wrap-anywhere">{snippet}</p>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
