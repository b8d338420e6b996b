import type { Run } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { artifactsQuery } from "../../data/queries.ts";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { ArtifactView } from "./artifact-view.tsx";

export function RunFiles({ run }: { run: Run }) {
  const { t } = useWords();
  const { data, error, refetch } = useQuery(artifactsQuery(run.id));
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.artifacts.length === 0) return <EmptyNote title={t("file.none")}>{t("file.noneText")}</EmptyNote>;
  return (
    <ul className="flex flex-col gap-4">
      {data.artifacts.map((artifact) => (
        <li key={artifact.id}>
          <ArtifactView artifact={artifact} />
        </li>
      ))}
    </ul>
  );
}
