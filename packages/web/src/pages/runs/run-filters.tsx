import { RUN_STATUSES, type RunCounts, VERDICTS } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import type { Ref } from "react";
import { countsQuery } from "../../data/queries.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.ts";
import { KINDS, type RunSearch, toFilter } from "./run-search.ts";

interface Props {
  search: RunSearch;
  onChange(search: RunSearch): void;
  words: Ref<HTMLInputElement>;
}

/** Words, status, verdict and kind. Beside each value is how many runs there are that have it. */
export function RunFilters({ search, onChange, words }: Props) {
  const { t } = useWords();
  const { data } = useQuery(countsQuery(toFilter({ text: search.text })));
  const set = (change: Partial<RunSearch>) => {
    const next = { ...search, ...change };
    onChange(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value.length > 0)));
  };
  const count = (field: "status" | "verdict" | "kind", value: string) => sum(data, field, value);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <div className="relative w-full sm:w-72">
        <Icon name="search" className="pointer-events-none absolute top-2 left-2.5 size-4 text-soft" />
        <input
          ref={words}
          type="search"
          aria-label={t("runs.search")}
          placeholder={t("runs.search")}
          defaultValue={search.text ?? ""}
          maxLength={200}
          onChange={({ target }) => set({ text: target.value })}
          onKeyDown={(event) => {
            if (event.key !== "Escape" && event.key !== "Enter") return;
            // Escape would empty the field as well.
            event.preventDefault();
            event.currentTarget.blur();
          }}
          className="field w-full pl-8"
        />
      </div>
      <FilterMenu
        label={t("runs.status")}
        options={RUN_STATUSES.map((value) => ({ value, label: t(`status.${value}`), count: count("status", value) }))}
        chosen={search.status ?? []}
        onChange={(status) => set({ status })}
      />
      <FilterMenu
        label={t("runs.verdict")}
        options={VERDICTS.map((value) => ({ value, label: t(`verdict.${value}`), count: count("verdict", value) }))}
        chosen={search.verdict ?? []}
        onChange={(verdict) => set({ verdict })}
      />
      <FilterMenu
        label={t("runs.kind")}
        options={KINDS.map((value) => ({ value, label: t(`kind.${value}`), count: count("kind", value) }))}
        chosen={search.kind ?? []}
        onChange={(kind) => set({ kind })}
      />
      {data && (
        <p role="status" className="tabular ml-auto text-soft text-xs">
          {t("runs.total", { count: data.total })}
        </p>
      )}
    </div>
  );
}

function sum(counts: RunCounts | undefined, field: "status" | "verdict" | "kind", value: string): number | undefined {
  return counts?.counts.filter((each) => each[field] === value).reduce((all, { runs }) => all + runs, 0);
}
