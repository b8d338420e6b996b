import { useState } from "react";
import { useWords } from "../../words/words.ts";
import { ScrollArea } from "../scroll-area.tsx";
import { formatOrDash } from "./scale.ts";
import type { TimeChartProps } from "./time-chart.tsx";

/** The numbers of a chart, for those who can't see it or want them exactly. Periods in which nothing was are left out. */
export function ChartTable({ title, series, labels, format }: TimeChartProps) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const rows = labels.flatMap((label, index) => {
    const values = series.map((each) => each.values[index] ?? null);
    return values.some((value) => value !== null && value !== 0) ? [{ label, values, index }] : [];
  });
  return (
    <details className="mt-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-soft text-xs hover:text-ink">{t("chart.table")}</summary>
      {isOpen && rows.length === 0 && <p className="mt-2 text-soft text-xs">{t("chart.nothing")}</p>}
      {isOpen && rows.length > 0 && (
        <ScrollArea label={title} className="mt-2 max-h-60 overflow-auto">
          <table className="w-full text-xs">
            <thead>
              <tr className="text-left text-soft">
                <th scope="col" className="py-1 pr-3 font-medium">
                  {t("chart.time")}
                </th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="py-1 pl-3 text-right font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ label, values, index }) => (
                <tr key={index} className="tabular border-line border-t">
                  <th scope="row" className="py-1 pr-3 text-left font-normal">
                    {label}
                  </th>
                  {values.map((value, place) => (
                    <td key={series[place]?.name} className="py-1 pl-3 text-right">
                      {formatOrDash(value, format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </details>
  );
}
