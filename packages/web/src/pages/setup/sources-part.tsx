import type { HostSource } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { sourcesQuery, sourceTypesQuery } from "../../data/setup-queries.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { EditSource } from "./edit-source.tsx";
import { SourceCard } from "./source-card.tsx";

/** Where events come from: chat platforms, webhooks, schedules. */
export function SourcesPart({ isOwner }: { isOwner: boolean }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const sources = useQuery(sourcesQuery);
  const types = useQuery(sourceTypesQuery);
  /** Null: none is edited; `new`: one that is not there yet. */
  const [editing, setEditing] = useState<HostSource | "new" | null>(null);
  const [leaving, setLeaving] = useState<HostSource | null>(null);
  const settle = () => queries.invalidateQueries({ queryKey: sourcesQuery.queryKey });
  const error = sources.error ?? types.error;
  if (error && !sources.data) return <ErrorNote error={error} onRetry={() => void sources.refetch()} />;
  if (!sources.data || !types.data) return <Loading />;
  const list = sources.data.sources;
  return (
    <>
      <div>
        <Button look="primary" disabled={!isOwner} onClick={() => setEditing("new")}>
          {t("setup.addSource")}
        </Button>
      </div>
      {list.length === 0 && <EmptyNote title={t("source.none")}>{t("source.noneText")}</EmptyNote>}
      <ul className="flex flex-col gap-3">
        {list.map((source) => (
          <SourceCard
            key={source.id}
            {...{ source, isOwner }}
            onEdit={() => setEditing(source)}
            onRemove={() => setLeaving(source)}
            onChanged={settle}
          />
        ))}
      </ul>
      <Dialog
        title={editing === "new" || editing === null ? t("setup.addSource") : editing.name}
        isOpen={editing !== null}
        onClose={() => setEditing(null)}
      >
        <EditSource
          types={types.data.types}
          source={editing === "new" ? null : editing}
          onDone={() => {
            setEditing(null);
            void settle();
          }}
        />
      </Dialog>
      <Confirm
        title={t("setup.removeAsk", { name: leaving?.name ?? "" })}
        verb={t("setup.remove")}
        isDangerous
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={async () => {
          if (leaving) await client.host.sources.remove(leaving.name);
          await settle();
        }}
      >
        <p>{t("source.removeText")}</p>
      </Confirm>
    </>
  );
}
