import { useEffect, useMemo, useSyncExternalStore } from "react";
import { type Notebook, type NotebookState, openNotebook } from "../../data/notebook/notebook.ts";

const LOOK_MS = 10_000;

/** A notebook while a page shows it. */
export function useNotebook(id: string): NotebookState & { notebook: Notebook } {
  const notebook = useMemo(() => openNotebook(id), [id]);
  const state = useSyncExternalStore(notebook.subscribe, notebook.get);
  useEffect(() => {
    // One that goes on from another page knows more than the record.
    if (notebook.get().running === null) void notebook.load();
    const timer = window.setInterval(() => {
      if (document.visibilityState === "visible" && notebook.get().running === null) void notebook.look();
    }, LOOK_MS);
    return () => window.clearInterval(timer);
  }, [notebook]);
  return { ...state, notebook };
}
