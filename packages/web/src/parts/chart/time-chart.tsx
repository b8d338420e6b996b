import { type PointerEvent, useState } from "react";
import { useWords } from "../../words/words.ts";
import { cx } from "../class-names.ts";
import { ChartTable } from "./chart-table.tsx";
import { drawLine, findLonely, formatOrDash, placeValue, roundUp } from "./scale.ts";
import { useWidth } from "./use-width.ts";

export interface Series {
  name: string;
  look: "good" | "bad" | "calm" | "accent" | "warn";
  /** One for each period; null: there is none. */
  values: readonly (number | null)[];
}

export interface TimeChartProps {
  title: string;
  /** What the whole time comes to, beside the title. */
  total?: string;
  /** `bars`: what the series have adds up; `lines`: each stands for itself. */
  kind: "bars" | "lines";
  series: readonly Series[];
  /** When each period begins, as it is shown below the chart. */
  labels: readonly string[];
  format(value: number): string;
}

const HEIGHT = 128;
const FOOT = 20;
const LEFT = 52;
const TOP = 6;
const FILLS = { good: "fill-good", bad: "fill-bad", calm: "fill-faint", accent: "fill-accent", warn: "fill-warn" };
const STROKES = {
  ...{ good: "stroke-good", bad: "stroke-bad", calm: "stroke-faint", accent: "stroke-accent", warn: "stroke-warn" },
};
const SWATCHES = { good: "bg-good", bad: "bg-bad", calm: "bg-faint", accent: "bg-accent", warn: "bg-warn" };

/** Values over time. Its numbers can be read as a table, too. */
export function TimeChart(props: TimeChartProps) {
  const { title, total, kind, series, labels, format } = props;
  const { t } = useWords();
  const [box, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highest = kind === "bars" ? sums : series.flatMap(({ values }) => values.map((value) => value ?? 0));
  const top = roundUp(Math.max(0, ...highest));
  const inner = Math.max(0, width - LEFT - 4);
  const step = inner / Math.max(1, labels.length);
  const toY = (value: number) => TOP + placeValue(value, top, HEIGHT - TOP);
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - LEFT;
    setAt(step > 0 && x >= 0 ? Math.min(labels.length - 1, Math.floor(x / step)) : null);
  };
  const middle = (index: number) => LEFT + (index + 0.5) * step;
  return (
    <figure className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <Caption {...{ title, total, series }} />
      <div ref={box} className="relative" style={{ height: HEIGHT + FOOT }}>
        <svg
          role="img"
          aria-label={`${title}. ${t("chart.asTable")}`}
          width={width}
          height={HEIGHT + FOOT}
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
          className="block touch-pan-y"
        >
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line x1={LEFT} x2={width} y1={toY(part * top)} y2={toY(part * top)} className="stroke-line" />
              <text x={LEFT - 8} y={toY(part * top) + 3.5} textAnchor="end" className="tabular fill-soft text-2xs">
                {format(part * top)}
              </text>
            </g>
          ))}
          {at !== null && (
            <rect x={LEFT + at * step} y={TOP} width={step} height={HEIGHT - TOP} className="fill-sunken" />
          )}
          {kind === "bars" ? (
            <Bars {...{ series, count: labels.length, step, toY }} />
          ) : (
            series.map(({ name, look, values }) => (
              <g key={name} className={STROKES[look]} fill="none" strokeWidth="1.75" strokeLinejoin="round">
                <path d={drawLine(values, middle, toY)} />
                {findLonely(values).map((index) => (
                  <circle
                    key={index}
                    cx={middle(index)}
                    cy={toY(values[index] ?? 0)}
                    r="2.25"
                    className={FILLS[look]}
                  />
                ))}
              </g>
            ))
          )}
          <text x={LEFT} y={HEIGHT + 15} className="fill-soft text-2xs">
            {labels[0]}
          </text>
          <text x={width - 4} y={HEIGHT + 15} textAnchor="end" className="fill-soft text-2xs">
            {labels.at(-1)}
          </text>
        </svg>
        {at !== null && (
          <Values
            {...{ series, format }}
            label={labels[at] ?? ""}
            at={at}
            style={middle(at) > width / 2 ? { right: width - middle(at) + 10 } : { left: middle(at) + 10 }}
          />
        )}
      </div>
      <ChartTable {...props} />
    </figure>
  );
}

interface BarsProps extends Pick<TimeChartProps, "series"> {
  count: number;
  step: number;
  toY(value: number): number;
}

function Bars({ series, count, step, toY }: BarsProps) {
  const gap = step > 6 ? 1.5 : 0.5;
  return Array.from({ length: count }, (_, index) => {
    let below = 0;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a period is its place.
      <g key={index}>
        {series.map(({ name, look, values }) => {
          const value = values[index] ?? 0;
          const y = toY(below + value);
          const height = toY(below) - y;
          below += value;
          return value > 0 ? (
            <rect
              key={name}
              x={LEFT + index * step + gap / 2}
              y={y}
              width={Math.max(0.5, step - gap)}
              height={Math.max(1, height)}
              className={FILLS[look]}
            />
          ) : null;
        })}
      </g>
    );
  });
}

function Caption({ title, total, series }: Pick<TimeChartProps, "title" | "total" | "series">) {
  return (
    <figcaption className="mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <span className="font-medium">{title}</span>
      {total !== undefined && <span className="tabular text-soft text-xs">{total}</span>}
      <ul className="ml-auto flex gap-3 text-soft text-xs">
        {series.length > 1 &&
          series.map(({ name, look }) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={cx("size-2 rounded-full", SWATCHES[look])} />
              {name}
            </li>
          ))}
      </ul>
    </figcaption>
  );
}

interface ValuesProps extends Pick<TimeChartProps, "series" | "format"> {
  label: string;
  at: number;
  style: { left: number } | { right: number };
}

/** What the values are where the pointer is. */
function Values({ series, format, label, at, style }: ValuesProps) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-0 z-10 rounded-lg border border-line bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap shadow-(--shadow)"
      style={style}
    >
      <p className="text-soft">{label}</p>
      {series.map(({ name, look, values }) => (
        <p key={name} className="tabular flex items-center gap-1.5">
          <span className={cx("size-2 rounded-full", SWATCHES[look])} />
          {name}
          <span className="ml-auto pl-4">{formatOrDash(values[at] ?? null, format)}</span>
        </p>
      ))}
    </div>
  );
}
