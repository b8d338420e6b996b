import { EVENT_GROUP_NAMES, type EventMatch } from "@drydock/protocol";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { auditSearchQuery } from "../../data/operations-queries.ts";
import { auditQuery } from "../../data/queries.ts";
import { Button, buttonClass } from "../../parts/button.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { Icon } from "../../parts/icon.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import type { OperationsSearch } from "./route.ts";

/** The record of everything: whether it is whole, what is in it, and all of it as a file. */
export function AuditPart() {
  return (
    <div className="flex flex-col gap-7">
      <Ledger />
      <EventSearch />
    </div>
  );
}

function Ledger() {
  const { t } = useWords();
  const { data, error, isFetching, refetch } = useQuery(auditQuery);
  return (
    <Section title={t("audit.ledger")}>
      <p className="mb-3 max-w-prose text-sm text-soft">{t("audit.ledgerText")}</p>
      <div className="flex flex-wrap gap-2">
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? t("record.checking") : t("record.verify")}
        </Button>
        <a href="/audit/export" download="drydock-ledger.jsonl" className={buttonClass()}>
          <Icon name="download" />
          {t("audit.export")}
        </a>
        <a href="/audit/anchor" download="drydock-anchor.json" className={buttonClass()}>
          <Icon name="download" />
          {t("audit.anchor")}
        </a>
      </div>
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
  );
}

function EventSearch() {
  const { t } = useWords();
  const search = useSearch({ from: "/operations" });
  const navigate = useNavigate({ from: "/operations" });
  const asked = useDeferredValue(search);
  const filter = useMemo(() => ({ text: asked.text, groups: asked.groups?.join(",") }), [asked]);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPending } = useInfiniteQuery(
    auditSearchQuery(filter),
  );
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const change = ({ text = search.text, groups = search.groups }: OperationsSearch) =>
    void navigate({
      search: { tab: "audit", ...(text && { text }), ...(groups && groups.length > 0 && { groups }) },
      replace: true,
      resetScroll: false,
    });
  return (
    <Section title={t("audit.search")}>
      <div className="mb-3 flex flex-wrap gap-2">
        <div className="relative w-full sm:w-80">
          <Icon name="search" className="pointer-events-none absolute top-2 left-2.5 size-4 text-soft" />
          <input
            type="search"
            aria-label={t("audit.words")}
            placeholder={t("audit.words")}
            defaultValue={search.text ?? ""}
            maxLength={200}
            onChange={({ target }) => change({ text: target.value })}
            className="field w-full pl-8"
          />
        </div>
        <FilterMenu
          label={t("timeline.groups")}
          options={EVENT_GROUP_NAMES.map((value) => ({ value, label: t(`group.${value}`) }))}
          chosen={search.groups ?? []}
          onChange={(groups) => change({ groups })}
        />
      </div>
      {error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <Loading />
      ) : (
        <>
          {events.length === 0 && !hasNextPage && <EmptyNote title={t("audit.none")}>{t("audit.noneText")}</EmptyNote>}
          {events.length > 0 && <EventRows events={events} />}
          {hasNextPage && (
            <div className="mt-3 flex justify-center">
              <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {t(isFetchingNextPage ? "loading" : "audit.more")}
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  );
}

function EventRows({ events }: { events: readonly EventMatch[] }) {
  const { t } = useWords();
  const { time } = useQuantities();
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-panel">
      {events.map(({ runId, seq, type, at, title, kind, excerpt }) => (
        <li key={`${runId} ${seq}`} className="px-4 py-2.5 text-sm">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-mono font-medium text-xs">{type}</code>
            <Link
              to="/runs/$id"
              params={{ id: runId }}
              search={{ tab: "timeline", event: seq }}
              className="min-w-0 max-w-full truncate text-accent hover:underline"
            >
              {title || runId}
            </Link>
            <span className="text-soft text-xs">{t(`kind.${kind}`)}</span>
            <time dateTime={at} className="tabular ml-auto text-soft text-xs">
              {time(at)}
            </time>
          </div>
          <p className="mt-1 line-clamp-2 font-mono text-soft text-xs break-all">{excerpt}</p>
        </li>
      ))}
    </ul>
  );
}
