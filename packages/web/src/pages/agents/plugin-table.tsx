import type { HostWarning, PluginInfo } from "@drydock/protocol";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

const HEAD = "border-line border-b px-3 py-2 text-left font-medium text-soft text-xs";
const CELL = "border-line border-b px-3 py-2 align-top wrap-anywhere";

/** Where runners come from, and how their processes stand at this moment. */
export function PluginTable({ plugins }: { plugins: readonly PluginInfo[] }) {
  const { t } = useWords();
  return (
    <section aria-labelledby="plugins">
      <h2 id="plugins" className="mb-2 font-semibold text-sm">
        {t("agents.plugins")}
      </h2>
      <ScrollArea label={t("agents.plugins")} className="overflow-x-auto rounded-xl border border-line bg-panel">
        <table className="w-full min-w-140 text-sm">
          <thead>
            <tr>
              {(["agents.plugin", "agents.process", "agents.hosts", "agents.variables"] as const).map((word) => (
                <th key={word} scope="col" className={HEAD}>
                  {t(word)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {plugins.map(({ id, version, process, problem, hosts, environment }) => (
              <tr key={id}>
                <td className={CELL}>
                  <span className="font-medium">{id}</span> <span className="text-soft text-xs">{version}</span>
                </td>
                <td className={CELL}>
                  {process === null ? t("process.idle") : t(`process.${process.state}`)}
                  {process !== null && process.openRuns > 0 && ` · ${t("agents.open", { count: process.openRuns })}`}
                  {(problem ?? process?.problem) && <p className="text-bad">{problem ?? process?.problem}</p>}
                </td>
                <td className={CELL}>{hosts.join(", ") || "–"}</td>
                <td className={CELL}>{environment.join(", ") || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}

export function HostWarnings({ warnings }: { warnings: readonly HostWarning[] }) {
  const { t } = useWords();
  const { time } = useQuantities();
  if (warnings.length === 0) return null;
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings" className="mb-2 font-semibold text-sm">
        {t("agents.warnings")}
      </h2>
      <ul className="rounded-xl border border-warn bg-warn-tint text-sm">
        {warnings.map(({ source, text, kind, count, lastAt, firstAt }) => (
          <li key={`${kind} ${source} ${text} ${firstAt}`} className="px-4 py-2 wrap-anywhere">
            {text} <span className="text-soft text-xs">{`${source} · ${count}× · ${time(lastAt)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
