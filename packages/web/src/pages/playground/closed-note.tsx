import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client } from "../../data/client.ts";
import { keepCells } from "../../data/notebook/kept-cells.ts";
import type { NotebookState } from "../../data/notebook/notebook.ts";
import { useMayRun } from "../../data/use-may-run.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

/** The session is gone, its record is not: its cells can be taken to a new one. */
export function ClosedNote({ state: { ended, cells, language } }: { state: NotebookState }) {
  const { t } = useWords();
  const mayRun = useMayRun();
  const navigate = useNavigate();
  const again = useMutation({
    mutationFn: () => client.sessions.open({ language }),
    onSuccess: ({ sessionId: id }) => {
      const fresh = cells.filter(({ isTerminal }) => !isTerminal).map((cell) => ({ ...cell, runId: null }));
      keepCells(id, fresh, []);
      return navigate({ to: "/playground/$id", params: { id } });
    },
  });
  return (
    <div role="alert" className="rounded-xl border border-warn bg-warn-tint p-4 text-sm">
      <p className="font-medium">{t("play.closed")}</p>
      {ended && <p className="mt-1 text-soft wrap-anywhere">{ended.message}</p>}
      {mayRun && (
        <Button className="mt-3" disabled={again.isPending} onClick={() => again.mutate()}>
          {t("play.again")}
        </Button>
      )}
      {again.error && (
        <div className="mt-3">
          <ErrorNote error={again.error} />
        </div>
      )}
    </div>
  );
}
