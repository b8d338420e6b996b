import type { Run } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { diffQuery } from "../../data/queries.ts";
import { DiffView } from "../../parts/diff-view.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

export function RunChanges({ run }: { run: Run }) {
  const { t } = useWords();
  const { data, error, refetch } = useQuery(diffQuery(run.id));
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.trim() === "") return <EmptyNote title={t("diff.none")}>{t("diff.noneText")}</EmptyNote>;
  return <DiffView diff={data} />;
}
