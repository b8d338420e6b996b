import { ScrollArea } from "../../parts/scroll-area.tsx";
import { useWords } from "../../words/words.ts";
import type { ResultRows } from "./read-rows.ts";

export function ResultTable({ rows: { columns, rows, total } }: { rows: ResultRows }) {
  const { t } = useWords();
  return (
    <div>
      <ScrollArea label={t("run.result")} className="max-h-96 overflow-auto rounded-lg border border-line">
        <table className="tabular w-full border-collapse text-xs">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col" className="border-line border-b px-3 py-1.5 text-left font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names.
              <tr key={at} className="even:bg-sunken">
                {row.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are in one order.
                  <td key={column} className="px-3 py-1 wrap-anywhere">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {total > rows.length && (
        <p className="mt-1 text-soft text-xs">{t("play.moreRows", { shown: rows.length, total })}</p>
      )}
    </div>
  );
}
