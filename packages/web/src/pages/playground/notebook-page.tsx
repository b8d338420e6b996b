import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTitle } from "../../app/use-title.ts";
import { useMayRun } from "../../data/use-may-run.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { CellList } from "./cell-list.tsx";
import { ClosedNote } from "./closed-note.tsx";
import { NotebookActions } from "./notebook-actions.tsx";
import { SessionPanel } from "./session-panel.tsx";
import { TerminalPanel } from "./terminal/terminal-panel.tsx";
import { useNotebook } from "./use-notebook.ts";

/** A notebook on a session: its cells, and beside them what the session holds. */
export function NotebookPage() {
  const { id } = useParams({ from: "/playground/$id" });
  return <NotebookOf key={id} id={id} />;
}

function NotebookOf({ id }: { id: string }) {
  const { t } = useWords();
  const mayRun = useMayRun();
  const { notebook, ...state } = useNotebook(id);
  const [hasTerminal, setTerminal] = useState(false);
  useTitle(t("play.notebook"));
  if (state.phase === "failed") {
    return (
      <div className="mx-auto flex max-w-2xl flex-col gap-4 p-6">
        <h1 className="font-semibold text-xl tracking-tight">{t("play.notebook")}</h1>
        <ErrorNote error={state.error} onRetry={() => void notebook.load()} />
      </div>
    );
  }
  const { session, forkedFrom, language, running } = state;
  const isLive = session !== null;
  return (
    <div className="mx-auto max-w-7xl px-4 py-5 md:px-8">
      <nav aria-label={t("run.path")} className="flex items-center gap-1.5 text-soft text-xs">
        <Link to="/playground" className="hover:text-ink hover:underline">
          {t("nav.playground")}
        </Link>
        <Icon name="chevron" className="size-3" />
        <code className="truncate font-mono">{id}</code>
      </nav>
      <header className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="font-semibold text-lg tracking-tight">
            {t("play.notebook")}{" "}
            <span className="font-normal text-soft">· {language === "node" ? "Node.js" : "Python"}</span>
          </h1>
          {forkedFrom && (
            <Link
              to="/playground/$id"
              params={{ id: forkedFrom.sessionId }}
              className="block truncate text-soft text-xs hover:underline"
            >
              {t("play.forkOf", { id: forkedFrom.sessionId, step: forkedFrom.step })}
            </Link>
          )}
        </div>
        {isLive && mayRun && (
          <NotebookActions
            notebook={notebook}
            language={language}
            isRunning={running !== null}
            isHeld={hasTerminal}
            onTerminal={() => setTerminal(true)}
          />
        )}
      </header>
      {state.phase === "loading" ? (
        <Loading />
      ) : (
        <div className="mt-5 grid items-start gap-7 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <div className="flex min-w-0 flex-col gap-4">
            {!isLive && <ClosedNote state={state} />}
            <CellList notebook={notebook} state={state} isHeld={hasTerminal || !mayRun} />
            {isLive && mayRun && (
              <Button look="quiet" className="self-start" onClick={() => notebook.add(null, "below")}>
                <Icon name="plus" />
                {t("play.addCell")}
              </Button>
            )}
            {hasTerminal && isLive && (
              <TerminalPanel
                id={id}
                onLeft={() => {
                  setTerminal(false);
                  void notebook.load();
                }}
              />
            )}
          </div>
          <SessionPanel session={session} />
        </div>
      )}
    </div>
  );
}
