import { useQuery } from "@tanstack/react-query";
import { usageQuery } from "../../data/operations-queries.ts";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { RetentionSection } from "./retention-section.tsx";

/** What takes how much space, and what may go. */
export function StoragePart() {
  const { t } = useWords();
  const { bytes } = useQuantities();
  const { data, error, refetch } = useQuery(usageQuery);
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const most = Math.max(1, ...data.parts.map((part) => part.bytes));
  return (
    <div className="flex flex-col gap-7">
      <Section
        title={t("storage.title", { size: bytes(data.totalBytes) })}
        aside={<code className="min-w-0 truncate font-mono text-soft text-xs">{data.home}</code>}
      >
        <ul className="flex flex-col gap-2 rounded-xl border border-line bg-panel p-4 text-sm">
          {data.parts.map(({ name, bytes: size }) => (
            <li key={name} className="grid grid-cols-[7rem_minmax(0,1fr)_5rem] items-center gap-x-3">
              <span>{t(`storage.part.${isPart(name) ? name : "other"}`)}</span>
              <span aria-hidden="true" className="h-2.5 overflow-hidden rounded-sm bg-sunken">
                <span className="block h-full rounded-sm bg-accent" style={{ width: `${(size / most) * 100}%` }} />
              </span>
              <span className="tabular text-right text-xs">{bytes(size)}</span>
              <span className="col-span-3 text-soft text-xs sm:col-start-2">
                {t(`storage.detail.${isPart(name) ? name : "other"}`)}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <RetentionSection />
    </div>
  );
}

const PARTS = [
  "ledger",
  "free",
  "runs",
  "artifacts",
  "layers",
  "unused",
  "caches",
  "environments",
  "extensions",
  "wraps",
  "settings",
] as const;

function isPart(name: string): name is (typeof PARTS)[number] {
  return (PARTS as readonly string[]).includes(name);
}
