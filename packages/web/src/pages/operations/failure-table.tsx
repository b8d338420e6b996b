import type { RunHistory } from "@drydock/protocol";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../words/words.ts";

/** What runs ended with, the most frequent first. */
export function FailureTable({ failures }: Pick<RunHistory, "failures">) {
  const { t } = useWords();
  const most = Math.max(1, ...failures.map(({ runs }) => runs));
  return (
    <section aria-labelledby="failures" className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <div className="mb-2 flex items-baseline gap-3 text-sm">
        <h3 id="failures" className="font-medium">
          {t("ops.failures")}
        </h3>
        {failures.length > 0 && (
          <Link
            to="/runs"
            search={{ status: ["failed", "lost"] }}
            className="ml-auto text-accent text-xs hover:underline"
          >
            {t("ops.allFailed")}
          </Link>
        )}
      </div>
      {failures.length === 0 && <p className="text-sm text-soft">{t("ops.noFailures")}</p>}
      <ul className="flex max-h-44 flex-col gap-1 overflow-y-auto text-sm">
        {failures.map(({ errorCode, runs, lastRunId }) => (
          <li key={errorCode} className="relative flex items-center gap-3 rounded px-2 py-0.5">
            <span
              aria-hidden="true"
              className="absolute inset-y-0 left-0 rounded bg-bad-tint"
              style={{ width: `${(runs / most) * 100}%` }}
            />
            <code className="relative min-w-0 truncate font-mono text-xs">{errorCode ?? t("status.lost")}</code>
            <span className="tabular relative ml-auto text-xs">{runs}</span>
            <Link
              to="/runs/$id"
              params={{ id: lastRunId }}
              aria-label={`${t("ops.newest")}: ${errorCode ?? t("status.lost")}`}
              className="relative text-accent text-xs hover:underline"
            >
              {t("ops.newest")}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
