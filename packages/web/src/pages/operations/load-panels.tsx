import type { ServerStatus } from "@drydock/protocol";
import { Link } from "@tanstack/react-router";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.ts";

const HEAD = "border-line border-b px-3 py-2 text-left font-medium text-soft text-xs";
const CELL = "border-line border-b px-3 py-2 last:border-r-0";

/** What this process has in hand, and what waits for a place in it. */
export function QueuePanel({ status }: { status: ServerStatus }) {
  const { t } = useWords();
  const { sandbox, backgroundRuns, calls } = status;
  const rows = [
    { word: "ops.queueRuns", running: sandbox.running, waiting: sandbox.waiting },
    { word: "ops.queueCalls", running: calls.running, waiting: calls.waiting },
    { word: "ops.queueBackground", running: backgroundRuns, waiting: null },
  ] as const;
  return (
    <Section
      title={t("ops.queue")}
      aside={
        <Link to="/runs" search={{ status: ["running"] }} className="ml-auto text-accent text-xs hover:underline">
          {t("ops.allRunning")}
        </Link>
      }
    >
      <table className="w-full overflow-hidden rounded-xl border border-line bg-panel text-sm">
        <thead>
          <tr>
            {(["ops.queueWhat", "ops.running", "ops.waiting"] as const).map((word) => (
              <th key={word} scope="col" className={HEAD}>
                {t(word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ word, running, waiting }) => (
            <tr key={word}>
              <th scope="row" className={`${CELL} text-left font-normal`}>
                {t(word)}
              </th>
              <td className={`${CELL} tabular`}>{running}</td>
              <td className={`${CELL} tabular`}>{waiting ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** Sandboxes that wait for their run. */
export function PoolTable({ status }: { status: ServerStatus }) {
  const { t } = useWords();
  const { pools } = status.sandbox;
  return (
    <Section title={t("ops.pools")}>
      {pools.length === 0 ? (
        <p className="rounded-xl border border-line bg-panel px-4 py-3 text-sm text-soft">{t("ops.noPools")}</p>
      ) : (
        <ul className="flex flex-col gap-2.5 rounded-xl border border-line bg-panel px-4 py-3 text-sm">
          {pools.map(({ name, ready, size }) => (
            <li key={name} className="flex items-center gap-3">
              <code className="w-20 font-mono text-xs">{name}</code>
              <span aria-hidden="true" className="flex flex-1 gap-1">
                {Array.from({ length: Math.max(size, ready) }, (_, index) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number.
                    key={index}
                    className={`h-2.5 flex-1 rounded-sm ${index < ready ? "bg-accent" : "bg-sunken"}`}
                  />
                ))}
              </span>
              <span className="tabular text-soft text-xs">{t("ops.ready", { ready, size })}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
