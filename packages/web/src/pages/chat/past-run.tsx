import { useQuery } from "@tanstack/react-query";
import { runQuery } from "../../data/queries.ts";
import { StatusMark } from "../../parts/badges.tsx";
import { ErrorNote } from "../../parts/notes.tsx";

/** A run that said nothing: how it stands. */
export function PastRun({ runId }: { runId: string }) {
  const { data: run, error } = useQuery(runQuery(runId));
  if (error) return <ErrorNote error={error} />;
  if (!run) return null;
  return (
    <div className="flex flex-col items-start gap-2">
      <StatusMark status={run.status} className="text-sm" />
      {run.error !== null && <ErrorNote error={run.error} />}
    </div>
  );
}
