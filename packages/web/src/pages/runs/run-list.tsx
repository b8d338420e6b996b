import type { RunSummary } from "@drydock/protocol";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useNow } from "../../app/use-now.ts";
import { StatusMark, VerdictPill } from "../../parts/badges.tsx";
import { cx } from "../../parts/class-names.ts";
import { type Quantities, useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

interface Props {
  runs: readonly RunSummary[];
  /** The row that keys point at; -1: none. */
  at: number;
  onPoint(at: number): void;
  hasMore: boolean;
  loadMore(): void;
}

const ROW_PX = 54;
const ROW =
  "absolute inset-x-0 top-0 grid h-[54px] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-line border-b px-4 hover:bg-sunken md:grid-cols-[7.5rem_minmax(0,1fr)_7.5rem_6rem_7rem] md:px-6";

/** Only the rows that can be seen are in the page, however many there are. */
export function RunList({ runs, at, onPoint, hasMore, loadMore }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (index) => runs[index]?.id ?? index,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= runs.length - 30) loadMore();
  }, [hasMore, last, runs.length, loadMore]);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" });
  }, [at, rows]);
  const now = useNow(10_000);
  const quantities = useQuantities();
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto contain-strict">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const run = runs[index];
          if (!run) return null;
          return (
            <li key={key} aria-setsize={hasMore ? -1 : runs.length} aria-posinset={index + 1}>
              <Link
                to="/runs/$id"
                params={{ id: run.id }}
                preload={false}
                onFocus={() => onPoint(index)}
                data-row={index}
                aria-current={index === at || undefined}
                className={cx(ROW, index === at && "bg-accent-tint shadow-[inset_3px_0_0_var(--accent)]")}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Cells run={run} now={now} quantities={quantities} />
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Cells({ run, now, quantities }: { run: RunSummary; now: number; quantities: Quantities }) {
  const { t } = useWords();
  const { kind, status, verdict, title, agent, workspace, createdAt, durationMs, costUsd } = run;
  const where = [t(`kind.${kind}`), agent, workspace?.split("/").at(-1)].filter(Boolean).join(" · ");
  return (
    <>
      <span className="hidden text-sm md:block">
        <StatusMark status={status} />
      </span>
      <div className="min-w-0">
        <p className="truncate text-sm font-medium">{title || run.id}</p>
        <p className="truncate text-soft text-xs">{where}</p>
      </div>
      <div className="flex flex-col items-end gap-1 md:contents">
        <span className="text-xs md:hidden">
          <StatusMark status={status} />
        </span>
        {verdict === "unverified" ? (
          <span className="hidden text-faint text-xs md:inline">{t("verdict.unverified")}</span>
        ) : (
          <VerdictPill verdict={verdict} className="justify-self-start" />
        )}
      </div>
      <p className="tabular hidden text-right text-sm text-soft md:block">
        {durationMs === null ? "" : quantities.duration(durationMs)}
        {costUsd !== null && costUsd > 0 && <span className="block text-xs">{quantities.money(costUsd)}</span>}
      </p>
      <time
        dateTime={createdAt}
        title={quantities.time(createdAt)}
        className="tabular hidden text-right text-soft text-xs md:block"
      >
        {quantities.ago(createdAt, now)}
      </time>
    </>
  );
}
