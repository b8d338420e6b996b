import { EVENT_GROUP_NAMES, EVENT_GROUPS, type EventGroup, type RunEvent } from "@drydock/protocol";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useKeys } from "../../app/use-keys.ts";
import type { FeedState, RunFeed } from "../../data/run-feed.ts";
import { Button } from "../../parts/button.tsx";
import { cx } from "../../parts/class-names.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { type Quantities, useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { EventInspector } from "./event-inspector.tsx";
import { summarizeEvent } from "./summarize-event.ts";

interface Props {
  state: FeedState;
  feed: RunFeed;
  /** The event that is looked at, by its number. */
  chosen: number | null;
  onChoose(seq: number): void;
}

const ROW_PX = 34;
const NEAR = 20;

/** Everything that happened, in its order, and beside it what one event says. */
export function RunTimeline({ state, feed, chosen, onChoose }: Props) {
  const { t } = useWords();
  const { window: events, groups } = state;
  const at = events.findIndex(({ seq }) => seq === chosen);
  const move = (step: number) => {
    const next = events[Math.max(0, Math.min(at + step, events.length - 1))];
    if (next) onChoose(next.seq);
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  const event = events[at] ?? null;
  const first = events[0]?.seq;
  const looked = useRef<number | null>(null);
  useEffect(() => {
    // A link may name an event that is far from both ends.
    if (chosen === null || at >= 0 || groups.length > 0 || first === undefined || looked.current === chosen) return;
    looked.current = chosen;
    void feed.show({ from: { around: chosen } });
  }, [chosen, at, first, groups, feed]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <FilterMenu<EventGroup>
          label={t("timeline.groups")}
          options={EVENT_GROUP_NAMES.map((value) => ({ value, label: t(`group.${value}`) }))}
          chosen={groups}
          onChange={(next) => void feed.show({ from: state.state === "ended" ? "first" : "last", groups: next })}
        />
        <Button look="quiet" onClick={() => void feed.show({ from: "first" })}>
          {t("timeline.first")}
        </Button>
        <Button look="quiet" onClick={() => void feed.show({ from: "last" })}>
          {t("timeline.last")}
        </Button>
        <p role="status" className="tabular ml-auto text-soft text-xs">
          {t("timeline.total", { count: state.total })}
        </p>
      </div>
      <div className="grid min-h-0 flex-1 gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <Events state={state} feed={feed} at={at} onChoose={onChoose} />
        {event && <EventInspector event={event} />}
      </div>
    </div>
  );
}

function Events({ state, feed, at, onChoose }: Omit<Props, "chosen"> & { at: number }) {
  const { t } = useWords();
  const { window: events, hasEarlier, hasLater } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const quantities = useQuantities();
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
    getItemKey: (index) => events[index]?.seq ?? index,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const keep = useRef<number | undefined>(undefined);
  const top = events[0]?.seq;
  useEffect(() => {
    // Earlier events came in front: what was seen stays where it is.
    const previous = keep.current;
    keep.current = top;
    if (previous === undefined || top === undefined || top >= previous) return;
    const added = events.findIndex(({ seq }) => seq === previous);
    if (added > 0) rows.scrollToOffset((rows.scrollOffset ?? 0) + added * ROW_PX);
  }, [top, events, rows]);
  useEffect(() => {
    if (hasEarlier && first < NEAR && events.length > 0) void feed.loadEarlier();
    if (hasLater && last > events.length - NEAR) void feed.loadLater();
  }, [first, last, hasEarlier, hasLater, events.length, feed]);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" });
  }, [at, rows]);
  return (
    <ScrollArea
      ref={scroller}
      label={t("tab.timeline")}
      className="min-h-80 overflow-y-auto rounded-xl border border-line bg-panel contain-strict"
    >
      <ol className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const event = events[index];
          return (
            event && (
              <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
                <EventRow event={event} isChosen={index === at} quantities={quantities} onChoose={onChoose} />
              </li>
            )
          );
        })}
      </ol>
    </ScrollArea>
  );
}

const GROUP_MARKS: Readonly<Record<EventGroup, string>> = {
  run: "bg-ink",
  output: "bg-soft",
  network: "bg-(--ansi-5)",
  files: "bg-(--ansi-3)",
  model: "bg-(--ansi-4)",
  plan: "bg-accent",
  work: "bg-accent",
  tool: "bg-(--ansi-5)",
  check: "bg-good",
  approval: "bg-warn",
  agent: "bg-(--ansi-4)",
};

interface RowProps {
  event: RunEvent;
  isChosen: boolean;
  quantities: Quantities;
  onChoose(seq: number): void;
}

function EventRow({ event, isChosen, quantities, onChoose }: RowProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(event.seq)}
      className={cx(
        "flex h-[34px] w-full items-center gap-2.5 px-3 text-left text-xs hover:bg-sunken",
        isChosen && "bg-accent-tint",
      )}
    >
      <span className="tabular w-10 shrink-0 text-right text-faint">{event.seq}</span>
      <span aria-hidden="true" className={cx("size-2 shrink-0 rounded-full", GROUP_MARKS[EVENT_GROUPS[event.type]])} />
      <span className="w-36 shrink-0 truncate font-mono">{event.type}</span>
      <span className="min-w-0 flex-1 truncate text-soft">{summarizeEvent(event)}</span>
      <time dateTime={event.at} className="tabular hidden shrink-0 text-faint sm:block">
        {quantities.clock(event.at)}
      </time>
    </button>
  );
}
