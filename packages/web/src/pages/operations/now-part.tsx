import { useQuery } from "@tanstack/react-query";
import { statusQuery } from "../../data/operations-queries.ts";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { HealthSection } from "./health-section.tsx";
import { HistoryCharts } from "./history-charts.tsx";
import { PoolTable, QueuePanel } from "./load-panels.tsx";
import { StatusTiles } from "./status-tiles.tsx";

/** What happens at this moment, and what happened lately. */
export function NowPart() {
  const { data: status, error, refetch } = useQuery(statusQuery);
  if (error && !status) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!status) return <Loading />;
  return (
    <div className="flex flex-col gap-7">
      <StatusTiles status={status} />
      <HistoryCharts />
      <div className="grid gap-7 lg:grid-cols-2">
        <QueuePanel status={status} />
        <PoolTable status={status} />
      </div>
      <HealthSection />
    </div>
  );
}
