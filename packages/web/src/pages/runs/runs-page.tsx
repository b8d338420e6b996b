import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { useKeys } from "../../app/use-keys.ts";
import { useTitle } from "../../app/use-title.ts";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { RunFilters } from "./run-filters.tsx";
import { RunList } from "./run-list.tsx";
import { type RunSearch, toFilter } from "./run-search.ts";
import { useRuns } from "./use-runs.ts";

export function RunsPage() {
  const { t } = useWords();
  useTitle(t("runs.title"));
  const search = useSearch({ from: "/runs" });
  const navigate = useNavigate({ from: "/runs" });
  const asked = useDeferredValue(search);
  const filter = useMemo(() => toFilter(asked), [asked]);
  const { runs, error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useRuns(filter);
  const [at, setAt] = useState(-1);
  const words = useRef<HTMLInputElement>(null);
  const change = (next: RunSearch) => {
    setAt(-1);
    void navigate({ search: next, replace: true });
  };
  const move = (step: number) => setAt(Math.max(0, Math.min(at + step, runs.length - 1)));
  const open = () => {
    const id = runs[at]?.id;
    if (id) void navigate({ to: "/runs/$id", params: { id } });
  };
  useKeys({
    ...{ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) },
    ...{ Enter: open, "/": () => words.current?.focus() },
  });
  const isNarrowed = Object.keys(search).length > 0;
  return (
    <div className="flex h-full flex-col">
      <div className="border-line border-b px-4 pt-4 pb-3 md:px-6">
        <div className="flex items-baseline gap-3">
          <h1 className="font-semibold text-lg tracking-tight">{t("runs.title")}</h1>
          <p className="ml-auto hidden items-center gap-1.5 text-soft text-xs md:flex">
            <kbd className="key">j</kbd>
            <kbd className="key">k</kbd>
            {t("runs.keyMove")}
            <kbd className="key ml-2">↵</kbd>
            {t("runs.keyOpen")}
            <kbd className="key ml-2">/</kbd>
            {t("runs.keySearch")}
          </p>
        </div>
        <RunFilters search={search} onChange={change} words={words} />
      </div>
      {error !== null && runs.length === 0 ? (
        <div className="p-6">
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </div>
      ) : isPending ? (
        <Loading />
      ) : runs.length === 0 && !hasNextPage ? (
        isNarrowed ? (
          <EmptyNote title={t("runs.noneFit")}>{t("runs.noneFitText")}</EmptyNote>
        ) : (
          <EmptyNote title={t("runs.none")}>
            <p>{t("runs.noneText")}</p>
            <pre className="mt-3 overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-3 text-left font-mono">
              drydock exec -c "print(6 * 7)"
            </pre>
          </EmptyNote>
        )
      ) : (
        <RunList
          runs={runs}
          at={at}
          onPoint={setAt}
          hasMore={hasNextPage}
          loadMore={() => !isFetchingNextPage && void fetchNextPage()}
        />
      )}
    </div>
  );
}
