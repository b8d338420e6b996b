import type { PolicyRow } from "@drydock/protocol";
import { useId, useState } from "react";
import { cx } from "../../parts/class-names.ts";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { useWords } from "../../words/words.ts";

const HEAD = "border-line border-b px-3 py-2 text-left font-medium text-soft text-xs";
const CELL = "border-line border-b px-3 py-1.5 align-top";

/** Each value that holds, the most that a request may ask for, and where it comes from. */
export function PolicyRows({ rows }: { rows: readonly PolicyRow[] }) {
  const { t } = useWords();
  const id = useId();
  const [words, setWords] = useState("");
  const [isOwn, setOwn] = useState(false);
  const wanted = words.trim().toLowerCase();
  const shown = rows.filter(
    ({ key, value, source }) =>
      (!isOwn || source !== "system") && `${key} ${write(value)}`.toLowerCase().includes(wanted),
  );
  return (
    <section aria-labelledby={id}>
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <h2 id={id} className="font-semibold text-sm">
          {t("policy.holds")}
        </h2>
        <input
          type="search"
          aria-label={t("policy.find")}
          placeholder={t("policy.find")}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          className="field ml-auto w-44"
        />
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={isOwn}
            onChange={({ target }) => setOwn(target.checked)}
            className="size-4 accent-(--accent)"
          />
          {t("policy.onlySet")}
        </label>
      </div>
      <ScrollArea label={t("policy.holds")} className="overflow-x-auto rounded-xl border border-line bg-panel">
        <table className="w-full min-w-160 table-fixed text-sm">
          <thead>
            <tr>
              {(["policy.key", "policy.value", "policy.ceiling", "ask.where"] as const).map((word, at) => (
                <th key={word} scope="col" className={cx(HEAD, at === 1 ? "w-2/5" : "w-1/5")}>
                  {t(word)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, value, ceiling, source, where }) => (
              <tr key={key} className={source === "system" ? undefined : "bg-accent-tint"}>
                <th scope="row" className={cx(CELL, "text-left font-mono font-normal text-xs wrap-anywhere")}>
                  {key}
                </th>
                <td className={cx(CELL, "font-mono text-xs wrap-anywhere")}>{write(value)}</td>
                <td className={cx(CELL, "font-mono text-soft text-xs wrap-anywhere")}>
                  {write(value) === write(ceiling) ? "=" : write(ceiling)}
                </td>
                <td className={cx(CELL, "text-soft text-xs wrap-anywhere")}>
                  {t(`origin.of.${source}`)}
                  {where !== "" && ` ${where.slice(where.lastIndexOf("/") + 1)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {shown.length === 0 && <p className="p-4 text-center text-sm text-soft">{t("policy.noRow")}</p>}
    </section>
  );
}

function write(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.join(", ");
  return String(value);
}
