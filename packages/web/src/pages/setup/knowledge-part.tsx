import type { IngestReport, KnowledgeBase } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../data/client.ts";
import { knowledgeQuery } from "../../data/setup-queries.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { IngestNote } from "./ingest-note.tsx";
import { KnowledgeCard } from "./knowledge-card.tsx";

/** Sets of documents that agents and people can search. */
export function KnowledgePart({ isOwner }: { isOwner: boolean }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(knowledgeQuery);
  /** The base that gets more files; empty: a new one; null: none. */
  const [adding, setAdding] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<KnowledgeBase | null>(null);
  const settle = () => queries.invalidateQueries({ queryKey: knowledgeQuery.queryKey });
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      <div>
        <Button look="primary" disabled={!isOwner} onClick={() => setAdding("")}>
          {t("setup.addKnowledge")}
        </Button>
      </div>
      {data.knowledge.length === 0 && <EmptyNote title={t("knowledge.none")}>{t("knowledge.noneText")}</EmptyNote>}
      <ul className="flex flex-col gap-3">
        {data.knowledge.map((base) => (
          <KnowledgeCard
            key={base.id}
            {...{ base, isOwner }}
            onAdd={() => setAdding(base.name)}
            onRemove={() => setLeaving(base)}
            onChanged={settle}
          />
        ))}
      </ul>
      <Dialog title={t("setup.addKnowledge")} isOpen={adding !== null} onClose={() => setAdding(null)}>
        <AddFiles name={adding ?? ""} onDone={() => setAdding(null)} onChanged={settle} />
      </Dialog>
      <Confirm
        title={t("setup.removeAsk", { name: leaving?.name ?? "" })}
        verb={t("setup.remove")}
        isDangerous
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={async () => {
          if (leaving) await client.knowledge.remove(leaving.name);
          await settle();
        }}
      >
        <p>{t("knowledge.removeText")}</p>
      </Confirm>
    </>
  );
}

interface AddProps {
  name: string;
  onDone(): void;
  onChanged(): Promise<unknown>;
}

function AddFiles({ name: given, onDone, onChanged }: AddProps) {
  const { t } = useWords();
  const [name, setName] = useState(given);
  const [paths, setPaths] = useState("");
  const [report, setReport] = useState<IngestReport | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (report) return onDone();
    setBusy(true);
    setError(null);
    try {
      const lines = paths.split("\n").map((line) => line.trim());
      setReport(await client.knowledge.add(name, { paths: lines.filter((line) => line !== "") }));
      await onChanged();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-4">
      <Field label={t("agent.name")} hint={t("agent.nameText")}>
        {(ids) => (
          <input
            {...ids}
            required
            disabled={given !== ""}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
            className="field"
          />
        )}
      </Field>
      <Field label={t("knowledge.paths")} hint={t("knowledge.pathsText")}>
        {(ids) => (
          <textarea
            {...ids}
            required
            rows={3}
            spellCheck={false}
            value={paths}
            onChange={({ target }) => setPaths(target.value)}
            className="field font-mono text-xs"
          />
        )}
      </Field>
      {report && <IngestNote report={report} />}
      {error !== null && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t("confirm.back")}</Button>
        <Button type="submit" look="primary" disabled={isBusy || name === "" || paths.trim() === ""}>
          {t(isBusy ? "setup.busy" : report ? "knowledge.done" : "knowledge.read")}
        </Button>
      </div>
    </form>
  );
}
