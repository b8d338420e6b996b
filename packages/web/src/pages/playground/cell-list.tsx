import { useRef, useState } from "react";
import type { Cell } from "../../data/notebook/cell.ts";
import type { Notebook, NotebookState } from "../../data/notebook/notebook.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useWords } from "../../words/words.ts";
import { CellView } from "./cell-view.tsx";
import { useCellKeys } from "./use-cell-keys.ts";

interface Props {
  notebook: Notebook;
  state: NotebookState;
  /** A terminal is open: no cell runs meanwhile. */
  isHeld: boolean;
}

/** The cells, by mouse and by keyboard. One of them is chosen; its text is written in, or keys of a single letter count. */
export function CellList({ notebook, state, isHeld }: Props) {
  const { t } = useWords();
  const { cells, path, queued, running, session } = state;
  const [target, setTarget] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const { chosen, choose, enter, add, remove } = useCellKeys({ notebook, cells, list });
  const mayRun = session !== null && !isHeld;
  const run = (cell: Cell, then: "next" | "stay" | "insert") => {
    if (mayRun) notebook.run([cell.key]);
    const next = cells[cells.indexOf(cell) + 1];
    if (then === "next" && next) enter(next.key, "textarea");
    else if (then !== "stay") add(cell, "below");
  };
  return (
    <>
      <ol ref={list} className="flex flex-col gap-4">
        {cells.map((cell, index) => (
          <CellView
            key={cell.key}
            cell={cell}
            number={index + 1}
            language={state.language}
            isChosen={cell.key === chosen}
            mark={cell.key === running ? "running" : queued.includes(cell.key) ? "queued" : null}
            isUndone={cell.state === "ok" && cell.step !== null && !path.has(cell.step)}
            isCurrent={cell.step !== null && cell.step === Math.max(...path)}
            mayRun={mayRun}
            mayReturn={mayRun && running === null}
            onChoose={() => choose(cell.key)}
            onEdit={(code) => notebook.edit(cell.key, code)}
            onRun={(then) => run(cell, then)}
            onStop={notebook.stop}
            onAdd={(where) => add(cell, where)}
            onRemove={() => remove(cell)}
            onReturn={setTarget}
            onAnswer={notebook.answer}
          />
        ))}
      </ol>
      <Confirm
        title={t("play.returnHere")}
        verb={t("play.returnHere")}
        isOpen={target !== null}
        onClose={() => setTarget(null)}
        act={async () => target !== null && notebook.rollBack(target)}
      >
        <p>{t("play.returnText", { step: target ?? 0 })}</p>
      </Confirm>
    </>
  );
}
