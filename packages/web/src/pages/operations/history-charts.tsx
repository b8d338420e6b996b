import type { RunHistory } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { historyQuery } from "../../data/operations-queries.ts";
import { RANGE_NAMES, type Range } from "../../data/ranges.ts";
import { TimeChart } from "../../parts/chart/time-chart.tsx";
import { cx } from "../../parts/class-names.ts";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { FailureTable } from "./failure-table.tsx";

/** Throughput, durations and cost over a time that can be chosen. */
export function HistoryCharts() {
  const { t } = useWords();
  const { range = "day" } = useSearch({ from: "/operations" });
  const { data, error, refetch } = useQuery(historyQuery(range));
  return (
    <Section title={t("ops.history")} aside={<RangeChoice range={range} />}>
      {error && !data && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {/* What is not there yet has its place already. */}
      <div className="min-h-[52rem] md:min-h-[29rem]">{data && <Charts history={data} range={range} />}</div>
    </Section>
  );
}

function RangeChoice({ range }: { range: Range }) {
  const { t } = useWords();
  return (
    <nav aria-label={t("ops.range")} className="ml-auto">
      <ul className="flex overflow-hidden rounded-md border border-line-strong bg-panel text-sm">
        {RANGE_NAMES.map((each) => (
          <li key={each} className="border-line-strong border-l first:border-l-0">
            <Link
              to="/operations"
              search={each === "day" ? {} : { range: each }}
              replace
              resetScroll={false}
              aria-current={each === range ? "true" : undefined}
              className={cx(
                "flex h-8 items-center px-2.5 whitespace-nowrap -outline-offset-2",
                each === range ? "bg-accent-tint font-medium text-accent" : "text-soft hover:bg-sunken",
              )}
            >
              {t(`range.${each}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Charts({ history, range }: { history: RunHistory; range: Range }) {
  const { t } = useWords();
  const { number, duration, money, moment } = useQuantities();
  const { periods, failures, complete } = history;
  const labels = useMemo(
    () => periods.map(({ at }) => moment(at, range === "hour" ? "clock" : "day")),
    [periods, moment, range],
  );
  const sum = (value: (period: RunHistory["periods"][number]) => number) =>
    periods.reduce((all, period) => all + value(period), 0);
  const started = sum((each) => each.started);
  const failed = sum((each) => each.failed);
  const shared = { labels };
  return (
    <div className="flex flex-col gap-3">
      {!complete && <p className="text-soft text-xs">{t("ops.incomplete")}</p>}
      <div className="grid gap-3 md:grid-cols-2">
        <TimeChart
          {...shared}
          title={t("ops.throughput")}
          total={t("ops.throughputTotal", { runs: started, failed })}
          kind="bars"
          format={number}
          series={[
            { name: t("ops.succeeded"), look: "good", values: periods.map((each) => each.succeeded) },
            { name: t("ops.failed"), look: "bad", values: periods.map((each) => each.failed) },
            {
              ...{ name: t("ops.others"), look: "calm" },
              values: periods.map((each) => each.started - each.succeeded - each.failed),
            },
          ]}
        />
        <TimeChart
          {...shared}
          title={t("ops.duration")}
          kind="lines"
          format={duration}
          series={[
            { name: t("ops.median"), look: "accent", values: periods.map((each) => each.medianMs) },
            { name: t("ops.p95"), look: "warn", values: periods.map((each) => each.p95Ms) },
          ]}
        />
        <TimeChart
          {...shared}
          title={t("ops.cost")}
          total={t("ops.costTotal", {
            cost: money(sum((each) => each.costUsd)),
            tokens: number(sum((each) => each.tokens)),
          })}
          kind="bars"
          format={money}
          series={[{ name: t("ops.cost"), look: "accent", values: periods.map((each) => each.costUsd) }]}
        />
        <FailureTable failures={failures} />
      </div>
    </div>
  );
}
